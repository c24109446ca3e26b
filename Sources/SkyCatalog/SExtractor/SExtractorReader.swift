import Foundation

/// Reads the values of SExtractor's keywords, and reports faults in them. The table of keywords says what is a fault.
///
/// As in SExtractor, the last one of several settings of a keyword is valid, a keyword with
/// one value ignores further values, and a list that is too long is a fault.
struct SExtractorReader {
  /// The file's name in errors.
  let file: String
  /// The settings, those of the file in its order, and then those of the command line.
  let inOrder: [SExtractorSetting]
  /// The settings whose keywords SExtractor does not know, if they are no fault.
  let unknown: [SExtractorSetting]
  private let settings: [String: SExtractorSetting]
  /// Whether words are read as SExtractor reads them; see ``warnings``.
  private let isLenient: Bool

  /// - Parameters:
  ///   - commandLine: settings that come after those of the text.
  ///   - isLenient: whether a keyword that SExtractor does not know is no fault, as in SExtractor, and a word is a
  ///     number where one is needed.
  /// - Throws: ``SExtractorFileError`` if SExtractor does not know a keyword, or none of a text of several.
  init(
    _ text: String, file: String, commandLine: [SExtractorSetting] = [], isLenient: Bool = false
  ) throws {
    (self.file, self.isLenient) = (file, isLenient)
    let written = SExtractorSetting.settings(in: text)
    let all = written + commandLine
    unknown = all.filter { SExtractorKeyword($0.keyword) == nil }
    if let first = unknown.first, !isLenient {
      throw SExtractorFileError(
        .unknownKeyword, file: file, line: first.line,
        fault: FileWord.quotable(first.keyword).map { "SExtractor has no keyword \($0)" }
          ?? "the line begins with no keyword of SExtractor's",
        nextStep: "check its spelling, or remove the line")
    }
    if !written.isEmpty, written.allSatisfy({ SExtractorKeyword($0.keyword) == nil }) {
      throw SExtractorFileError(
        .unknownKeyword, file: file, fault: "no line begins with a keyword of SExtractor's",
        nextStep: "give a configuration file")
    }
    var settings: [String: SExtractorSetting] = [:]
    var last: [String: Int] = [:]
    for (index, setting) in all.enumerated() where SExtractorKeyword(setting.keyword) != nil {
      settings[setting.keyword] = setting
      last[setting.keyword] = index
    }
    self.settings = settings
    inOrder = all.indices.filter { last[all[$0].keyword] == $0 }.map { all[$0] }
  }

  subscript(keyword: String) -> SExtractorSetting? { settings[keyword] }

  /// A number; `nil` if the keyword is not given.
  func number(_ keyword: String) throws -> Double? { try numbers(keyword)?.first }

  /// An integer; `nil` if the keyword is not given.
  func integer(_ keyword: String) throws -> Int? { try integers(keyword)?.first }

  /// Integers; `nil` if the keyword is not given.
  func integers(_ keyword: String) throws -> [Int]? {
    try map(keyword) { value, kind in
      guard case .integer(let allowed) = kind else { return nil }
      return (Self.integer(value) ?? (isLenient ? strtol(value, nil, 10) : nil))
        .flatMap { allowed.contains($0) ? $0 : nil }
    }
  }

  /// Numbers; `nil` if the keyword is not given.
  func numbers(_ keyword: String) throws -> [Double]? {
    try map(keyword) { value, kind in
      guard let number = Double(value) ?? (isLenient ? strtod(value, nil) : nil), number.isFinite
      else { return nil }
      return switch kind {
      case .number(let allowed): allowed.contains(number) ? number : nil
      case .positive: number > 0 ? number : nil
      default: nil
      }
    }
  }

  /// Yes or no, by the first letter.
  func flag(_ keyword: String) throws -> Bool? { try flags(keyword)?[0] }

  /// Several of these.
  func flags(_ keyword: String) throws -> [Bool]? {
    try map(keyword) { value, _ in
      switch value.first {
      case "Y", "y": true
      case "N", "n": false
      default: nil
      }
    }
  }

  /// Values among the keyword's names, in capitals.
  func names(_ keyword: String) throws -> [String]? {
    try map(keyword) { value, kind in
      guard case .names(let names) = kind else { return nil }
      let name = value.uppercased()
      return names.contains(name) ? name : nil
    }
  }

  /// Words that SExtractor does not check; `nil` if the keyword is not given.
  func words(_ keyword: String) throws -> [String]? { try map(keyword) { value, _ in value } }

  /// A keyword of a FITS header.
  func headerKeyword(_ name: String) throws -> String? {
    try map(name) { value, _ -> String? in
      let keyword = value.uppercased()
      let isKeyword = keyword.utf8.allSatisfy {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
      return isKeyword && keyword.utf8.count <= 8 || isLenient ? keyword : nil
    }?[0]
  }

  /// A path, or a part of one, as it is spelled.
  ///
  /// - Throws: ``SExtractorFileError`` if it names an environment variable that does not exist.
  func path(_ keyword: String) throws -> String? {
    guard let path = try map(keyword, { value, _ in value })?[0] else { return nil }
    do throws(EnvironmentVariables.Unset) {
      _ = try EnvironmentVariables.expand(path)
    } catch {
      throw fault(
        .invalidValue, settings[keyword],
        "\(keyword) names \(settings[keyword]?.quotable(error.name).map { "$\($0)" } ?? "a variable"), "
          + "which the environment does not have",
        nextStep: "set it, or write the path without it")
    }
    return path
  }

  /// “64.” is 64, too.
  static func integer(_ value: String) -> Int? {
    Int(value) ?? Double(value).flatMap { Int(exactly: $0) }
  }

  /// Checks the values of a setting that nothing else reads, so that a typing error is not taken for a value that does
  /// not exist here.
  ///
  /// - Throws: ``SExtractorFileError`` if SExtractor would not take them.
  func check(_ keyword: SExtractorKeyword) throws {
    switch keyword.kind {
    case .flag: _ = try flags(keyword.name)
    case .names: _ = try names(keyword.name)
    case .integer: _ = try integers(keyword.name)
    case .number, .positive: _ = try numbers(keyword.name)
    case .headerKeyword: _ = try headerKeyword(keyword.name)
    case .path, .words: break
    }
  }

  func fault(
    _ code: SExtractorFileError.Code, _ setting: SExtractorSetting?, _ fault: String,
    nextStep: String
  ) -> SExtractorFileError {
    let isOfCommandLine = setting.map { $0.line == nil } ?? file.isEmpty
    return SExtractorFileError(
      code, file: isOfCommandLine ? "command line" : file, line: setting?.line, fault: fault,
      nextStep: nextStep)
  }

  private func map<Value>(
    _ name: String, _ read: (String, SExtractorKeyword.Kind) -> Value?
  ) throws -> [Value]? {
    guard let setting = settings[name], let keyword = SExtractorKeyword(name) else { return nil }
    let (count, needed) = (keyword.count, keyword.needed)
    guard setting.values.count >= count.lowerBound else {
      let given = setting.values.isEmpty ? "no value" : "only \(setting.values.count) value"
      throw fault(.missingValue, setting, "\(name) has \(given)", nextStep: needed)
    }
    guard count.upperBound == 1 || setting.values.count <= count.upperBound else {
      throw fault(
        .invalidValue, setting, "\(name) has \(setting.values.count) values", nextStep: needed)
    }
    return try setting.values.prefix(count.upperBound).map { value in
      guard let value = read(value, keyword.kind) else {
        throw fault(
          .invalidValue, setting,
          setting.quoted(value).map { "\(name) is \($0)" } ?? "\(name) has a wrong value",
          nextStep: needed)
      }
      return value
    }
  }
}
