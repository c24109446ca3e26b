import ArgumentParser

/// An option that takes one value was given more than once. The parser alone would silently take
/// the last value.
struct RepeatedOption: Error, Hashable, CustomStringConvertible {
  /// The option with its dashes.
  let option: String
  /// All of its values, in the command line's order.
  let values: [String]

  var description: String {
    let list = values.map { "\"\($0.showingControls)\"" }.joined(separator: " and ")
    return "\(option) is given \(values.count) times, with \(list), but takes one value: "
      + "leave out all but one"
  }

  /// Checks a command line that the parser has accepted.
  ///
  /// - Throws: ``RepeatedOption``.
  static func check(_ arguments: [String], of command: any ParsableCommand.Type) throws {
    let options = GivenOption.all(in: arguments)
    let values = Dictionary(grouping: options, by: \.name).mapValues { $0.map(\.value) }
    // Reading the declarations takes longer than most commands do.
    guard values.count < options.count else { return }
    let singleValued = DeclaredOptions(of: command).singleValued
    // Of several repeated options, the first on the command line is reported.
    for option in options where singleValued.contains(option.name) {
      if let values = values[option.name], values.count > 1 {
        throw RepeatedOption(option: option.name, values: values)
      }
    }
  }
}
