extension SExtractorConfiguration {
  /// Puts the settings that ask for further files into ``ignored`` if the command names its files by options.
  ///
  /// - Returns: the settings to refuse: here, their values would make another catalogue or other files than with
  ///   SExtractor.
  /// - Throws: ``SExtractorFileError`` if SExtractor would not take a value of them.
  mutating func collectIgnored(
    _ reader: SExtractorReader, for command: Command
  ) throws -> [SExtractorSetting] {
    var refused: [SExtractorSetting] = []
    for setting in reader.inOrder {
      guard let keyword = SExtractorKeyword(setting.keyword) else { continue }
      switch keyword.effect {
      case .obeyed, .unused, .furtherNames: break
      case .obeyedIf(let names):
        let values = setting.values.map { $0.uppercased() }
        if !setting.areEqual || !values.allSatisfy(names.contains) { refused.append(setting) }
      case .obeyedIfEqual:
        // Without weights, no map is read.
        let isRead = keyword.name != "WEIGHT_IMAGE" || weightPath != nil
        if isRead, try !areEqual(setting, keyword, reader) { refused.append(setting) }
      case .refused:
        try reader.check(keyword)
        if setting.differs(from: keyword.usualValues) { refused.append(setting) }
      case .outputName, .outputFormat, .furtherFiles:
        try reader.check(keyword)
        if try isOutputRefused(setting, keyword, for: command) { refused.append(setting) }
      }
    }
    return refused
  }

  /// Whether all values of a setting mean the same.
  private func areEqual(
    _ setting: SExtractorSetting, _ keyword: SExtractorKeyword, _ reader: SExtractorReader
  ) throws -> Bool {
    switch keyword.kind {
    case .flag: Set(try reader.flags(keyword.name) ?? []).count <= 1
    case .names: Set(try reader.names(keyword.name) ?? []).count <= 1
    case .number: Set(try reader.numbers(keyword.name) ?? []).count <= 1
    default: setting.areEqual
    }
  }

  private mutating func isOutputRefused(
    _ setting: SExtractorSetting, _ keyword: SExtractorKeyword, for command: Command
  ) throws -> Bool {
    switch (keyword.effect, command) {
    case (.outputFormat(let names), .engage): return !names.contains(catalogFormat.rawValue)
    case (.outputFormat, .sex), (.outputFormat, .engageInFormat):
      return !SExtractorFormat.served.contains(catalogFormat)
    case (.furtherFiles(let names), .sex):
      return setting.values.contains { value in
        let single = SExtractorSetting(
          keyword: setting.keyword, values: [value], line: setting.line)
        return !names.contains(value.uppercased()) && single.differs(from: keyword.usualValues)
      }
    case (_, .sex): return false
    case (_, .engage), (_, .engageInFormat):
      if setting.differs(from: keyword.usualValues) { ignored.append(setting) }
      return false
    }
  }

  /// - Throws: ``SExtractorFileError`` if there are any.
  func refuse(
    _ refused: [SExtractorSetting], _ reader: SExtractorReader, for command: Command
  ) throws {
    guard let first = refused.first else { return }
    let isOne = refused.count == 1
    // The error begins with the place if all have the same.
    let hasOnePlace = isOne || refused.allSatisfy { $0.line == nil }
    let (names, verb) = SExtractorSetting.listed(
      refused, "has", "have", as: hasOnePlace ? \.text : \.description)
    let isFormat = refused.contains { $0.keyword == "CATALOG_TYPE" }
    let (made, nextStep) =
      switch command {
      case .engage, .engageInFormat:
        ("another catalogue", Self.inEngage(isOne: isOne, isFormat: isFormat))
      case .sex: ("other files", Self.inSex(isOne: isOne, isFormat: isFormat))
      }
    throw reader.fault(
      .unsupported, hasOnePlace ? first : nil,
      "\(names) \(verb) no counterpart here, and would make \(made)", nextStep: nextStep)
  }

  private static func inEngage(isOne: Bool, isFormat: Bool) -> String {
    "remove \(isOne ? "the line" : "the lines"), which means "
      + (isFormat
        ? "\(isOne ? "" : "SExtractor's defaults and ")that the ending of --catalog FILE chooses the "
          + "format: .csv, .ecsv, .fits or .reg; another ending, such as .cat, chooses "
          + SExtractorFormat.listed
        : "SExtractor's default")
  }

  private static func inSex(isOne: Bool, isFormat: Bool) -> String {
    let step = "leave \(isOne ? "it" : "them") out, which means SExtractor's default"
    return isFormat
      ? (isOne ? "" : "\(step); ") + "CATALOG_TYPE is one of NONE, \(SExtractorFormat.listed)"
      : step
  }
}
