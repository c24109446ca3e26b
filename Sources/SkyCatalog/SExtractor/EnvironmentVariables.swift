import Foundation

/// The environment variables that a configuration's values name, as SExtractor puts them in: `$NAME`
/// or `${NAME}`. A name ends at a slash, a colon, a brace, a quotation mark or a backslash.
package enum EnvironmentVariables {
  /// A variable that does not exist. Its name is a word of the file.
  struct Unset: Error {
    let name: String

    /// Advice on a name that is none for a shell, because it goes on behind where it was meant to end.
    var hint: String {
      name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || isalnum(CInt($0)) != 0 }
        ? ""
        : "; a name goes on to a slash, a colon or the value's end, so write ${NAME} where it ends elsewhere"
    }
  }

  /// A variable's value; `nil` if it does not exist.
  package static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The text with the variables' values.
  ///
  /// - Parameters:
  ///   - value: a variable's value.
  ///   - named: gets the names of the variables.
  /// - Throws: ``Unset`` for the first variable that does not exist.
  static func expand(
    _ text: String, _ value: (String) -> String? = Self.value(of:), named: inout Set<String>
  ) throws(Unset) -> String {
    // By bytes, as SExtractor reads them: what follows a name may join it as one character.
    var expanded: [UInt8] = []
    var rest = text.utf8[...]
    while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
      expanded += rest[..<dollar]
      rest = rest[dollar...].dropFirst()
      if rest.first == UInt8(ascii: "{") { rest = rest.dropFirst() }
      let name = String(Substring(rest.prefix { !ends.contains($0) }))
      rest = rest.dropFirst(name.utf8.count)
      if rest.first == UInt8(ascii: "}") { rest = rest.dropFirst() }
      guard let value = value(name) else { throw Unset(name: name) }
      named.insert(name)
      expanded += value.utf8
    }
    return String(decoding: expanded + rest, as: UTF8.self)
  }

  static func expand(
    _ text: String, _ value: (String) -> String? = Self.value(of:)
  ) throws(Unset) -> String {
    var named: Set<String> = []
    return try expand(text, value, named: &named)
  }

  private static let ends = Array("}/:\"'\\".utf8)
}
