import Foundation

/// The environment variables that a configuration's paths name, as SExtractor puts them in: `$NAME`
/// or `${NAME}`. A name ends at a slash, a colon, a brace, a quotation mark or a backslash.
enum EnvironmentVariables {
  /// A variable that does not exist. Its name is a word of the file.
  struct Unset: Error {
    let name: String
  }

  /// The text with the variables' values.
  ///
  /// - Parameter environment: read only where a variable is named, as it takes longer than most texts.
  /// - Throws: ``Unset`` for the first variable that does not exist.
  static func expand(
    _ text: String,
    _ environment: @autoclosure () -> [String: String] = ProcessInfo.processInfo.environment
  ) throws(Unset) -> String {
    var expanded = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      expanded += rest[..<dollar]
      rest = rest[dollar...].dropFirst()
      if rest.first == "{" { rest = rest.dropFirst() }
      let name = String(rest.prefix { !"}/:\"'\\".contains($0) })
      rest = rest.dropFirst(name.count)
      if rest.first == "}" { rest = rest.dropFirst() }
      guard let value = environment()[name] else { throw Unset(name: name) }
      expanded += value
    }
    return expanded + rest
  }
}
