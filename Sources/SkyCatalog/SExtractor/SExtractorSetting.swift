/// A keyword of SExtractor's configuration with its values: a line of the file, or two words of a command line.
package struct SExtractorSetting: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The keyword in capitals if SExtractor knows it, and otherwise as it is spelled.
  package let keyword: String
  /// The values as they are spelled.
  package let written: [String]
  /// The values, in which environment variables have theirs once ``expand(named:)`` was called.
  package private(set) var values: [String]
  /// The setting's line in the file, from 1; `nil` for one of the command line.
  package let line: Int?

  package init(keyword: String, values: [String], line: Int?) {
    self.keyword = keyword
    (self.written, self.values) = (values, values)
    self.line = line
  }

  /// Puts environment variables into the values that count. SExtractor does so in the first one alone, and takes a
  /// variable in a further one for a text that is no number, or for a file's name as it stands.
  ///
  /// - Parameter named: gets the names of the variables.
  /// - Throws: ``EnvironmentVariables/Unset`` for the first variable that does not exist.
  mutating func expand(named: inout Set<String>) throws(EnvironmentVariables.Unset) {
    guard let keyword = SExtractorKeyword(keyword) else { return }
    for index in written.indices.prefix(keyword.count.upperBound) {
      values[index] = try EnvironmentVariables.expand(written[index], named: &named)
    }
    // As in SExtractor, a value that begins with # begins a comment.
    values = Array(values.prefix { !$0.utf8.starts(with: "#".utf8) })
  }

  /// A keyword of a command line, which stands there after a dash, and the word after it.
  package init(keyword: String, word: String) {
    let capitals = keyword.uppercased()
    self.init(
      keyword: SExtractorKeyword(capitals) == nil ? keyword : capitals,
      values: Self.words(in: word[...]), line: nil)
  }

  /// The setting as far as a message may quote it, and its place.
  package var description: String {
    text + (line.map { " (line \($0))" } ?? " (command line)")
  }

  /// The keyword, which SExtractor knows, and its values if a message may quote all of them.
  var text: String {
    let quoted = written.compactMap(quotable)
    let isWhole = quoted.count == written.count && !written.isEmpty
    return isWhole ? "\(keyword) \(quoted.joined(separator: ","))" : keyword
  }

  /// A value as it is spelled, in quotation marks, if a message may quote it; otherwise `nil`. No message quotes the
  /// value of a variable.
  func quoted(_ index: Int) -> String? { quotable(written[index]).map { "“\($0)”" } }

  /// Whether a value has that of a variable.
  func isExpanded(_ index: Int) -> Bool { values[index] != written[index] }

  /// A value, or a part of one, if a message may quote it; otherwise `nil`. What the user typed on the command line is
  /// no secret to the user. A value of a file may be one; see ``FileWord``.
  func quotable(_ value: String) -> String? {
    line == nil ? value : FileWord.quotableValue(value)
  }

  /// The name of a variable behind a dollar sign, if a message may quote it.
  func quotableVariable(_ name: String) -> String {
    (line == nil ? name : FileWord.quotableVariable(name)).map { "$\($0)" } ?? "a variable"
  }

  /// Several settings in words, and the verb that fits their number.
  ///
  /// - Parameter text: the words for each.
  static func listed(
    _ settings: [SExtractorSetting], _ singular: String, _ plural: String,
    as text: (SExtractorSetting) -> String = \.description
  ) -> (names: String, verb: String) {
    let names = settings.map(text)
    guard let last = names.last, names.count > 1 else { return (names.first ?? "", singular) }
    return (names.dropLast().joined(separator: ", ") + " and \(last)", plural)
  }

  /// Splits a text into settings. On each line, spaces, tabs, commas, semicolons, equals signs and
  /// quotation marks separate the keyword and its values. A word that begins with # begins a
  /// comment.
  static func settings(in text: String) -> [SExtractorSetting] {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.enumerated().compactMap { offset, line in
      let words = words(in: line)
      guard let keyword = words.first else { return nil }
      let capitals = keyword.uppercased()
      return SExtractorSetting(
        keyword: SExtractorKeyword(capitals) == nil ? keyword : capitals,
        values: Array(words.dropFirst()), line: offset + 1)
    }
  }

  /// Spaces beyond ASCII separate nothing, as in SExtractor.
  static func words(in text: Substring) -> [String] {
    // By bytes, as SExtractor reads them: as characters, it takes five times as long.
    text.utf8.split { separators.contains($0) }.prefix { $0.first != UInt8(ascii: "#") }
      .map { String(Substring($0)) }
  }

  private static let separators = Array(" \t\n\r\u{b}\u{c}=,;\"".utf8)

  /// Whether the values differ from SExtractor's defaults. Numbers are compared as numbers, and
  /// names without regard to case; of yes and no, only the first letter counts. A single default
  /// applies to all values.
  func differs(from usual: [String]) -> Bool {
    let usual = usual.count == 1 ? Array(repeating: usual[0], count: values.count) : usual
    return values.count != usual.count
      || zip(values, usual).contains { value, usual in
        if let value = Double(value), let usual = Double(usual) { return value != usual }
        let counts = ["Y", "N"].contains(usual) ? value.prefix(1) : value[...]
        return counts.uppercased() != usual.uppercased()
      }
  }

  /// Whether the values are all the same word.
  var areEqual: Bool { values.allSatisfy { $0 == values[0] } }
}
