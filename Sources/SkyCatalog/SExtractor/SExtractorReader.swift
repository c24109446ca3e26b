/// Reads the values of SExtractor's keywords, and reports faults in them.
///
/// As in SExtractor, the last one of several lines with the same keyword is valid, a keyword with
/// one value ignores further values, and a list that is too long is a fault.
struct SExtractorReader {
  /// The file's name in errors.
  let file: String
  private let settings: [String: SExtractorSetting]

  /// - Throws: ``SExtractorFileError`` if SExtractor does not know a keyword.
  init(_ text: String, file: String) throws {
    self.file = file
    var settings: [String: SExtractorSetting] = [:]
    for setting in SExtractorSetting.settings(in: text) {
      guard SExtractorKeyword(setting.keyword) != nil else {
        throw SExtractorFileError(
          .unknownKeyword, file: file, line: setting.line,
          fault: FileWord.quotable(setting.keyword).map { "SExtractor has no keyword \($0)" }
            ?? "the line begins with no keyword of SExtractor's",
          nextStep: "check its spelling, or remove the line")
      }
      settings[setting.keyword] = setting
    }
    self.settings = settings
  }

  /// The settings in the order of the file.
  var inOrder: [SExtractorSetting] { settings.values.sorted { $0.line < $1.line } }

  subscript(keyword: String) -> SExtractorSetting? { settings[keyword] }

  /// The settings of those keywords that are in the file.
  func settings(_ keywords: [String]) -> [SExtractorSetting] {
    keywords.compactMap { settings[$0] }
  }

  /// A number; `nil` if the keyword is not in the file.
  func number(_ keyword: String, _ needed: String, _ isAllowed: (Double) -> Bool) throws -> Double?
  {
    try numbers(keyword, count: 1...1, needed, isAllowed)?[0]
  }

  /// An integer; `nil` if the keyword is not in the file.
  func integer(_ keyword: String, _ allowed: ClosedRange<Int>) throws -> Int? {
    try integers(keyword, count: 1...1, allowed)?[0]
  }

  /// Integers; `nil` if the keyword is not in the file.
  func integers(
    _ keyword: String, count: ClosedRange<Int>, _ allowed: ClosedRange<Int>
  ) throws -> [Int]? {
    let (first, last) = (allowed.lowerBound, allowed.upperBound)
    let needed = count.upperBound == 1 ? "a whole number" : "whole numbers"
    return try map(
      keyword, count: count,
      "\(needed) from \(first) to \(last) \(count.upperBound == 1 ? "is" : "are") needed"
    ) { value in
      Int(value).flatMap { allowed.contains($0) ? $0 : nil }
    }
  }

  /// Numbers; `nil` if the keyword is not in the file.
  func numbers(
    _ keyword: String, count: ClosedRange<Int>, _ needed: String, _ isAllowed: (Double) -> Bool
  ) throws -> [Double]? {
    try map(keyword, count: count, needed) { value in
      Double(value).flatMap { $0.isFinite && isAllowed($0) ? $0 : nil }
    }
  }

  /// Yes or no, by the first letter.
  func flag(_ keyword: String) throws -> Bool? {
    try map(keyword, count: 1...1, "Y or N is needed") { value in
      switch value.first {
      case "Y", "y": true
      case "N", "n": false
      default: nil
      }
    }?[0]
  }

  /// Values among the given names, in capitals.
  func names(_ keyword: String, of names: [String]) throws -> [String]? {
    try map(keyword, count: 1...Int.max, "one of \(names.joined(separator: ", ")) is needed") {
      let name = $0.uppercased()
      return names.contains(name) ? name : nil
    }
  }

  /// A keyword of a FITS header.
  func keyword(_ name: String) throws -> String? {
    let needed = "a keyword of a FITS header is needed, of at most 8 characters"
    let keywords: [String]? = try map(name, count: 1...1, needed) { value -> String? in
      let keyword = value.uppercased()
      let isKeyword = keyword.utf8.allSatisfy {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
      return isKeyword && keyword.utf8.count <= 8 ? keyword : nil
    }
    return keywords?[0]
  }

  /// A path, or a part of one, as the file spells it.
  ///
  /// - Throws: ``SExtractorFileError`` if it names an environment variable that does not exist.
  func path(_ keyword: String) throws -> String? {
    guard let path = try map(keyword, count: 1...1, "a path is needed", { $0 })?[0] else {
      return nil
    }
    do throws(EnvironmentVariables.Unset) {
      _ = try EnvironmentVariables.expand(path)
    } catch {
      throw SExtractorFileError(
        .invalidValue, file: file, line: settings[keyword]?.line,
        fault:
          "\(keyword) names \(FileWord.quotable(error.name).map { "$\($0)" } ?? "a variable"), "
          + "which the environment does not have",
        nextStep: "set it, or write the path without it")
    }
    return path
  }

  private func map<Value>(
    _ keyword: String, count: ClosedRange<Int>, _ needed: String, _ read: (String) -> Value?
  ) throws -> [Value]? {
    guard let setting = settings[keyword] else { return nil }
    guard setting.values.count >= count.lowerBound else {
      let given = setting.values.isEmpty ? "no value" : "only \(setting.values.count) value"
      throw SExtractorFileError(
        .missingValue, file: file, line: setting.line, fault: "\(keyword) has \(given)",
        nextStep: needed)
    }
    guard count.upperBound == 1 || setting.values.count <= count.upperBound else {
      throw SExtractorFileError(
        .invalidValue, file: file, line: setting.line,
        fault: "\(keyword) has \(setting.values.count) values", nextStep: needed)
    }
    return try setting.values.prefix(count.upperBound).map { value in
      guard let value = read(value) else {
        throw SExtractorFileError(
          .invalidValue, file: file, line: setting.line,
          fault: "\(keyword) is \(FileWord.quoted(value, or: "something else"))", nextStep: needed)
      }
      return value
    }
  }
}
