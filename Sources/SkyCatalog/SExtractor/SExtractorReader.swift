import Foundation

/// Reads the values of SExtractor's keywords, and collects the faults in them. The table of keywords says what is a
/// fault. A value with a fault is `nil`, as one that is not given, so that all faults are found in one reading.
///
/// As in SExtractor, the last one of several settings of a keyword is valid, a keyword with
/// one value ignores further values, and a list that is too long is a fault.
final class SExtractorReader {
  /// The file's name in errors.
  let file: String
  /// The settings, those of the file in its order, and then those of the command line.
  let inOrder: [SExtractorSetting]
  /// The settings whose keywords SExtractor does not know, if they are no fault.
  let unknown: [SExtractorSetting]
  /// The environment variables that the settings name.
  let variables: Set<String>
  /// The faults that were found, each once.
  private(set) var faults: [SExtractorFileError] = []
  /// The keywords whose values have faults.
  private(set) var faulty: Set<String> = []
  private let settings: [String: SExtractorSetting]
  /// Whether words are read as SExtractor reads them; see ``warnings``.
  private let isLenient: Bool

  /// - Parameters:
  ///   - commandLine: settings that come after those of the text.
  ///   - isLenient: whether a keyword that SExtractor does not know is no fault, as in SExtractor, and a word is a
  ///     number where one is needed.
  /// - Throws: ``SExtractorFileError`` if SExtractor knows no keyword of a text that has some, unless all look like
  ///   keywords with values, and are no fault.
  init(
    _ text: String, file: String, commandLine: [SExtractorSetting] = [], isLenient: Bool = false
  ) throws(SExtractorFileError) {
    (self.file, self.isLenient) = (file, isLenient)
    let written = SExtractorSetting.settings(in: text)
    var all = written + commandLine
    unknown = all.filter { SExtractorKeyword($0.keyword) == nil }
    if !written.isEmpty, written.allSatisfy({ SExtractorKeyword($0.keyword) == nil }) {
      if !isLenient, let first = unknown.first { throw Self.unknown(first, in: file) }
      // Keywords with values are warnings, as in SExtractor. Other words are those of another kind of file.
      guard
        written.allSatisfy({ FileWord.quotable($0.keyword) != nil && !$0.values.isEmpty })
      else {
        throw SExtractorFileError(
          .unknownKeyword, file: file, fault: "no line begins with a keyword of SExtractor's",
          nextStep: "give a configuration file")
      }
    }
    var named: Set<String> = []
    var unset: [(SExtractorSetting, EnvironmentVariables.Unset)] = []
    for index in all.indices {
      do throws(EnvironmentVariables.Unset) {
        try all[index].expand(named: &named)
      } catch {
        unset.append((all[index], error))
      }
    }
    variables = named
    var settings: [String: SExtractorSetting] = [:]
    var last: [String: Int] = [:]
    for (index, setting) in all.enumerated() where SExtractorKeyword(setting.keyword) != nil {
      settings[setting.keyword] = setting
      last[setting.keyword] = index
    }
    self.settings = settings
    inOrder = all.indices.filter { last[all[$0].keyword] == $0 }.map { all[$0] }
    if !isLenient { faults += unknown.map { Self.unknown($0, in: file) } }
    for (setting, error) in unset {
      note(
        .invalidValue, setting,
        "\(setting.keyword) names \(setting.quotableVariable(error.name)), which the environment does not have",
        nextStep: "set it, or write the value without it" + error.hint)
    }
  }

  convenience init(
    _ text: String, file: String, for command: SExtractorConfiguration.Command
  ) throws(SExtractorFileError) {
    switch command {
    case .engage, .engageInFormat: try self.init(text, file: file)
    case .sex(let given): try self.init(text, file: file, commandLine: given, isLenient: true)
    }
  }

  private static func unknown(
    _ setting: SExtractorSetting, in file: String
  ) -> SExtractorFileError {
    SExtractorFileError(
      .unknownKeyword, file: file, line: setting.line,
      fault: FileWord.quotable(setting.keyword).map { "SExtractor has no keyword \($0)" }
        ?? "the line begins with no keyword of SExtractor's",
      nextStep: "check its spelling, or remove the line")
  }

  /// `nil` if the keyword is not given.
  subscript(keyword: String) -> SExtractorSetting? { settings[keyword] }

  /// Takes a fault of a setting.
  func note(
    _ code: SExtractorFileError.Code, _ setting: SExtractorSetting?, _ fault: String,
    nextStep: String
  ) {
    let isOfCommandLine = setting.map { $0.line == nil } ?? file.isEmpty
    let fault = SExtractorFileError(
      code, file: isOfCommandLine ? "command line" : file, line: setting?.line, fault: fault,
      nextStep: nextStep)
    if !faults.contains(fault) { faults.append(fault) }
    if let setting { faulty.insert(setting.keyword) }
  }
}

extension SExtractorReader {
  /// A number; `nil` if the keyword is not given.
  func number(_ keyword: String) -> Double? { numbers(keyword)?.first }

  /// An integer; `nil` if the keyword is not given.
  func integer(_ keyword: String) -> Int? { integers(keyword)?.first }

  /// Integers; `nil` if the keyword is not given.
  func integers(_ keyword: String) -> [Int]? {
    map(keyword) { value, keyword in
      guard case .integer(let allowed) = keyword.kind else { return nil }
      let read = Self.integer(value, of: keyword)
      guard allowed.contains(read), isLenient || read == Self.plainInteger(value) else {
        return nil
      }
      return read
    }
  }

  /// Numbers; `nil` if the keyword is not given.
  func numbers(_ keyword: String) -> [Double]? {
    map(keyword) { value, keyword in
      guard let number = Double(value) ?? (isLenient ? strtod(value, nil) : nil), number.isFinite
      else { return nil }
      return switch keyword.kind {
      case .number(let allowed): allowed.contains(number) ? number : nil
      case .positive(let most): number > 0 && number <= most ? number : nil
      default: nil
      }
    }
  }

  /// Yes or no, by the first letter.
  func flag(_ keyword: String) -> Bool? { flags(keyword)?[0] }

  /// Several of these.
  func flags(_ keyword: String) -> [Bool]? {
    map(keyword) { value, _ in
      switch value.first {
      case "Y", "y": true
      case "N", "n": false
      default: nil
      }
    }
  }

  /// Values among the keyword's names, in capitals.
  func names(_ keyword: String) -> [String]? {
    map(keyword) { value, keyword in
      guard case .names(let names) = keyword.kind else { return nil }
      let name = value.uppercased()
      return names.contains(name) ? name : nil
    }
  }

  /// Words that SExtractor does not check; `nil` if the keyword is not given.
  func words(_ keyword: String) -> [String]? {
    map(keyword) { value, _ in value.isEmpty ? nil : value }
  }

  /// A keyword of a FITS header.
  func headerKeyword(_ name: String) -> String? {
    map(name) { value, _ -> String? in
      let keyword = value.uppercased()
      let isKeyword = keyword.utf8.allSatisfy {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
      guard !keyword.isEmpty else { return nil }
      return isKeyword && keyword.utf8.count <= 8 || isLenient ? keyword : nil
    }?[0]
  }

  /// A path, or a part of one, as it is spelled.
  func path(_ keyword: String) -> String? { paths(keyword)?[0] }

  /// Several of these.
  func paths(_ keyword: String) -> [String]? {
    words(keyword).flatMap { words in settings[keyword]?.written.prefix(words.count) }.map(
      Array.init)
  }

  /// The number that SExtractor reads: as far as the value is one, and in a list as in C, where 010 is 8.
  static func integer(_ value: String, of keyword: SExtractorKeyword) -> Int {
    strtol(value, nil, keyword.count.upperBound == 1 ? 10 : 0)
  }

  /// The number that a reader of the value would take it for: “64.” is 64, too.
  static func plainInteger(_ value: String) -> Int? {
    Int(value) ?? Double(value).flatMap { Int(exactly: $0) }
  }

  /// Checks the values of a setting that nothing else reads, so that a typing error is not taken for a value that does
  /// not exist here.
  func check(_ keyword: SExtractorKeyword) {
    switch keyword.kind {
    case .flag: _ = flags(keyword.name)
    case .names: _ = names(keyword.name)
    case .integer: _ = integers(keyword.name)
    case .number, .positive: _ = numbers(keyword.name)
    case .headerKeyword: _ = headerKeyword(keyword.name)
    case .path, .words: break
    }
  }

  private func map<Value>(
    _ name: String, _ read: (String, SExtractorKeyword) -> Value?
  ) -> [Value]? {
    guard let setting = settings[name], let keyword = SExtractorKeyword(name),
      !faulty.contains(name)
    else { return nil }
    let (count, needed) = (keyword.count, keyword.needed)
    guard setting.values.count >= count.lowerBound else {
      let given = setting.values.isEmpty ? "no value" : "only \(setting.values.count) value"
      note(.missingValue, setting, "\(name) has \(given)", nextStep: needed)
      return nil
    }
    guard count.upperBound == 1 || setting.values.count <= count.upperBound else {
      note(.invalidValue, setting, "\(name) has \(setting.values.count) values", nextStep: needed)
      return nil
    }
    var values: [Value] = []
    for (index, value) in setting.values.prefix(count.upperBound).enumerated() {
      guard let value = read(value, keyword) else {
        let expanded = setting.isExpanded(index) ? ", which stands for another value" : ""
        note(
          .invalidValue, setting,
          setting.quoted(index).map { "\(name) is \($0)\(expanded)" }
            ?? "\(name) has a wrong value",
          nextStep: needed)
        return nil
      }
      values.append(value)
    }
    return values
  }
}
