import ArgumentParser

/// `skynet engage -h`: the options that matter most, each with the beginning of what the whole help says of it.
struct BriefHelp {
  /// The options that are shown, in this order, as far as the command has them.
  private static let names = [
    "--image", "--catalog", "--inputs", "--total", "--results", "--journal", "--wait-for",
    "--peers",
    "--web", "--quiet",
  ]
  /// An option in a help with lines of any length: its label, its name, and what is said of it.
  private static var option: Regex<(Substring, Substring, Substring, Substring)> {
    /(?m)^  ((?:-[a-z], )?(--[a-z-]+)[^\n]*?)(?: {2,}|\n +)(\S[^\n]*)$/
  }
  /// The columns before what is said, and those for it.
  private static let (labelColumns, textColumns) = (26, 53)

  let text: String

  /// - Parameter arguments: a command line of `engage`, which may choose a workload.
  init(_ arguments: [String], _ workloads: Workloads, in root: any ParsableCommand.Type) {
    let chosen = workloads.chosen(by: arguments)
    let shown = chosen.map { [$0] } ?? workloads.all
    let command =
      chosen == nil ? workloads.wholeEngageCommand : workloads.engageCommand(for: arguments)
    let said = Dictionary(
      command.helpMessage(columns: 100_000).matches(of: Self.option).map { match in
        (String(match.2), Self.line(String(match.1), String(match.3)))
      }, uniquingKeysWith: { first, _ in first })
    let examples = shown.compactMap { $0.examples.first }
      .map { "  \(Program.name) engage \($0)" }
    text =
      ([
        "OVERVIEW: \(command.configuration.abstract)", "",
        "USAGE: \(Program.name) engage <options>", "", "OPTIONS:",
      ]
      + Self.names.compactMap { said[$0] }
      + (examples.isEmpty ? [] : ["", "EXAMPLES:"] + examples) + [
        "", "  `\(Program.name) engage --help` shows all options.",
      ]).joined(separator: "\n")
  }

  private static func line(_ label: String, _ said: String) -> String {
    let name = "  " + label
    let start =
      name.count < labelColumns
      ? name.padded(to: labelColumns)
      : name + "\n" + String(repeating: " ", count: labelColumns)
    return start + beginning(of: said)
  }

  /// The first clause, or less of it where a line has no room for that.
  private static func beginning(of said: String) -> String {
    let end = said.firstMatch(of: /[.;:](?: |$)| \(/)?.range.lowerBound ?? said.endIndex
    let clause = said[..<end]
    guard clause.count > textColumns,
      let comma = clause.prefix(textColumns).lastIndex(of: ",")
    else { return String(clause) }
    return String(clause[..<comma])
  }
}
