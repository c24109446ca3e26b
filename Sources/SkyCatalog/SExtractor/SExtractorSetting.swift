/// One line of SExtractor's configuration: a keyword with its values.
package struct SExtractorSetting: Hashable, Sendable, CustomStringConvertible {
  /// In capitals, if SExtractor knows it; otherwise as it is written.
  package let keyword: String
  package let values: [String]
  /// Its line in the file, from 1.
  package let line: Int

  package init(keyword: String, values: [String], line: Int) {
    self.keyword = keyword
    self.values = values
    self.line = line
  }

  /// As it would be written, as far as a message may quote it, and where it is.
  package var description: String {
    let words = ([keyword] + values).map(FileWord.quotable)
    let written = words.compactMap { $0 }
    let isWhole = written.count == words.count && written.count > 1
    let text = isWhole ? "\(keyword) \(written.dropFirst().joined(separator: ","))" : words[0]
    return (text.map { $0 + " " } ?? "") + "(line \(line))"
  }

  /// Several of them in words, and the verb that goes with them.
  static func listed(
    _ settings: [SExtractorSetting], _ singular: String, _ plural: String
  ) -> (names: String, verb: String) {
    guard let last = settings.last, settings.count > 1 else {
      return (settings.first?.description ?? "", singular)
    }
    let others = settings.dropLast().map(\.description).joined(separator: ", ")
    return ("\(others) and \(last)", plural)
  }

  /// Takes a text apart: what stands between a line's spaces, tabs, commas, semicolons, equals
  /// signs and quotation marks is a keyword and its values, up to one that begins with #.
  static func settings(in text: String) -> [SExtractorSetting] {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.enumerated().compactMap { offset, line in
      let words = line.split { $0.isWhitespace || "=,;\"".contains($0) }
        .prefix { !$0.hasPrefix("#") }
      guard let keyword = words.first else { return nil }
      let capitals = keyword.uppercased()
      return SExtractorSetting(
        keyword: SExtractorKeyword(capitals) == nil ? String(keyword) : capitals,
        values: words.dropFirst().map(String.init), line: offset + 1)
    }
  }

  /// Whether its values are others than SExtractor's own, by number if they are numbers, and by
  /// name whatever the case, of which the first letter counts for yes and no. One value of
  /// SExtractor's stands for as many as there are.
  func differs(from usual: [String]) -> Bool {
    let usual = usual.count == 1 ? Array(repeating: usual[0], count: values.count) : usual
    return values.count != usual.count
      || zip(values, usual).contains { value, usual in
        if let value = Double(value), let usual = Double(usual) { return value != usual }
        let counts = ["Y", "N"].contains(usual) ? value.prefix(1) : value[...]
        return counts.uppercased() != usual.uppercased()
      }
  }
}
