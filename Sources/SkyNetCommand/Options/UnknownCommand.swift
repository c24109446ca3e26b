import ArgumentParser

/// A word in the place of a command that is the name of none.
struct UnknownCommand: Error, CustomStringConvertible {
  let word: String
  /// The command whose subcommand it would be.
  let parent: any ParsableCommand.Type
  /// The name of the subcommand that was probably meant.
  let meant: String?

  var description: String {
    let fault = "there is no command \"\(word.showingControls)\""
    return meant.map { "\(fault): did you mean \"\($0)\"?" } ?? fault
  }

  /// Checks the commands that a command line names, also those that `help` is asked about. Everything from the
  /// first option on is left to the parser.
  ///
  /// - Throws: ``UnknownCommand``.
  static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws(UnknownCommand)
  {
    var words = arguments.prefix { !$0.hasPrefix("-") }
    let asksForHelp = words.first == help
    if asksForHelp {
      words.removeFirst()
      if words.elementsEqual([help]) { return }
    }
    var command = root
    for word in words {
      let subcommands = command.configuration.subcommands
      guard let next = subcommands.first(where: { $0.name == word }) else {
        // What follows a command without subcommands are its arguments.
        if subcommands.isEmpty && !asksForHelp { return }
        throw UnknownCommand(word: word, parent: command, meant: meant(by: word, subcommands))
      }
      command = next
    }
  }

  private static let help = "help"
  /// Words that are options of every program, and no commands here.
  private static let options = ["version": "--version"]

  /// The command that begins with the word, or that differs from it by the fewest letters; `nil` if none is
  /// close, or several begin with it.
  private static func meant(by word: String, _ commands: [any ParsableCommand.Type]) -> String? {
    if let option = options[word.lowercased()] { return option }
    let names = commands.filter { $0.configuration.shouldDisplay }.map { $0.name }
    let longer = names.filter { word.count > 1 && $0.hasPrefix(word.lowercased()) }
    if longer.count == 1 { return longer[0] }
    return EditDistance.closest(to: word.lowercased(), among: names)
  }
}

/// How many letters have to be added, dropped, replaced, or exchanged with their neighbours.
///
/// The optimal string alignment distance: Damerau, "A technique for computer detection and correction of spelling
/// errors", 1964.
enum EditDistance {
  /// The first of the words from which the given one differs least; `nil` if more than some third of its letters would
  /// be wrong.
  static func closest(to word: String, among words: [String]) -> String? {
    let most = max(1, (word.count + 1) / 3)
    return words.map { ($0, between(word, $0)) }.filter { $0.1 <= most }.min { $0.1 < $1.1 }?.0
  }

  static func between(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for i in first.indices {
      var row = [i + 1]
      for j in second.indices {
        let replaced = last[j] + (first[i] == second[j] ? 0 : 1)
        var least = min(replaced, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
          least = min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      (beforeLast, last) = (last, row)
    }
    return last[second.count]
  }
}
