import Foundation

extension SExtractorReader {
  /// Warnings about unknown keywords, in SExtractor's words, and about odd values, of which SExtractor says nothing.
  var warnings: [String] {
    unknown.map { setting in
      let name = setting.line.map { FileWord.quotable(setting.keyword) ?? "line \($0):" }
      return "\(name ?? setting.keyword) keyword unknown"
    } + inOrder.flatMap { oddValues($0) + laterVariables($0) }
  }

  /// Warnings about values that are no numbers, which SExtractor reads up to the first character that belongs to none:
  /// `SECPIX` is 0. Public configurations have such words where a pipeline puts a number in.
  private func oddValues(_ setting: SExtractorSetting) -> [String] {
    guard let keyword = SExtractorKeyword(setting.keyword) else { return [] }
    return setting.values.prefix(keyword.count.upperBound).enumerated().compactMap { index, value in
      let number: String? =
        switch keyword.kind {
        case .integer:
          Self.integer(value, of: keyword) == Self.plainInteger(value)
            ? nil : "\(Self.integer(value, of: keyword))"
        case .number, .positive: Double(value) == nil ? "\(strtod(value, nil))" : nil
        default: nil
        }
      return number.map { number in
        (setting.quoted(index).map {
          "\(keyword.name) is \($0), \(setting.isExpanded(index) ? "whose value" : "which")"
        } ?? "the value of \(keyword.name)") + " counts as \(number), as in SExtractor"
      }
    }
  }

  /// Warnings about variables behind a keyword's first value, which SExtractor leaves as they stand. Whoever writes one
  /// there means its value.
  private func laterVariables(_ setting: SExtractorSetting) -> [String] {
    guard let keyword = SExtractorKeyword(setting.keyword) else { return [] }
    let isNumber =
      switch keyword.kind {
      case .integer, .number, .positive: true
      default: false
      }
    return setting.values.indices.prefix(keyword.count.upperBound).dropFirst()
      .filter(setting.isExpanded).map { index in
        "\(keyword.name) has \(setting.quoted(index) ?? "a variable") behind its first value: its value counts here, and "
          + "SExtractor takes it \(isNumber ? "for 0" : "as it stands")"
      }
  }
}
