extension SExtractorConfiguration {
  /// Puts the settings that ask for further files into ``ignored`` if the command names its files by options.
  ///
  /// - Returns: the settings to refuse: here, their values would make another catalogue or other files than with
  ///   SExtractor.
  mutating func collectIgnored(
    _ reader: SExtractorReader, for command: Command
  ) -> [SExtractorSetting] {
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
        if isRead, !areEqual(setting, keyword, reader) { refused.append(setting) }
      case .refused:
        reader.check(keyword)
        if setting.differs(from: keyword.usualValues) { refused.append(setting) }
      case .outputName, .outputFormat, .furtherFiles:
        reader.check(keyword)
        if isOutputRefused(setting, keyword, for: command) { refused.append(setting) }
      }
    }
    return refused
  }

  /// Whether all values of a setting mean the same.
  private func areEqual(
    _ setting: SExtractorSetting, _ keyword: SExtractorKeyword, _ reader: SExtractorReader
  ) -> Bool {
    switch keyword.kind {
    case .flag: Set(reader.flags(keyword.name) ?? []).count <= 1
    case .names: Set(reader.names(keyword.name) ?? []).count <= 1
    case .number: Set(reader.numbers(keyword.name) ?? []).count <= 1
    default: setting.areEqual
    }
  }

  private mutating func isOutputRefused(
    _ setting: SExtractorSetting, _ keyword: SExtractorKeyword, for command: Command
  ) -> Bool {
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

  /// Takes the settings to refuse as one fault.
  func refuse(
    _ refused: [SExtractorSetting], _ reader: SExtractorReader, for command: Command
  ) {
    let refused = refused.filter { !reader.faulty.contains($0.keyword) }
    guard let first = refused.first else { return }
    let isOne = refused.count == 1
    // The error begins with the place if all have the same.
    let hasOnePlace = isOne || refused.allSatisfy { $0.line == nil }
    let (names, verb) = SExtractorSetting.listed(
      refused, "has", "have", as: hasOnePlace ? \.text : \.description)
    let isFormat = refused.contains { $0.keyword == "CATALOG_TYPE" }
    let made: String
    let nextStep: String
    switch command {
    case .engage, .engageInFormat:
      (made, nextStep) = ("another catalogue", Self.inEngage(isOne: isOne, isFormat: isFormat))
    case .sex:
      let areFiles = Set(refused.map { SExtractorKeyword($0.keyword)?.isOfFiles == true })
      made =
        areFiles == [true]
        ? "other files"
        : areFiles == [false] ? "another catalogue" : "another catalogue or other files"
      nextStep = Self.inSex(isOne: isOne, isFormat: isFormat)
    }
    // SExtractor's default of WEIGHT_IMAGE is a file, too.
    let isWeightMap = isOne && first.keyword == "WEIGHT_IMAGE"
    reader.note(
      .unsupported, hasOnePlace ? first : nil,
      "\(names) \(verb) no counterpart here, and would make \(made)",
      nextStep: isWeightMap ? "write one file, and write it once" : nextStep)
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
