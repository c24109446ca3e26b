import Foundation

extension SExtractorReader {
  /// Warnings about unknown keywords, in SExtractor's words, and about odd values, of which SExtractor says nothing.
  var warnings: [String] {
    unknown.map { setting in
      let name = setting.line.map { FileWord.quotable(setting.keyword) ?? "line \($0):" }
      return "\(name ?? setting.keyword) keyword unknown"
    } + oddValues
  }

  /// Warnings about values that are no numbers, which SExtractor reads up to the first character that belongs to none:
  /// `SECPIX` is 0. Public configurations have such words where a pipeline puts a number in.
  private var oddValues: [String] {
    inOrder.flatMap { setting -> [String] in
      guard let keyword = SExtractorKeyword(setting.keyword) else { return [] }
      return setting.values.prefix(keyword.count.upperBound).compactMap { value in
        let number: String? =
          switch keyword.kind {
          case .integer: Self.integer(value) == nil ? "\(strtol(value, nil, 10))" : nil
          case .number, .positive: Double(value) == nil ? "\(strtod(value, nil))" : nil
          default: nil
          }
        return number.map {
          "\(keyword.name) is \(setting.quoted(value) ?? "no number"), which counts as \($0), as in SExtractor"
        }
      }
    }
  }
}
