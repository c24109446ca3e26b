import SkyDetection

extension SExtractorConfiguration {
  /// Reads the text of a configuration file.
  ///
  /// - Parameters:
  ///   - text: the file's text.
  ///   - file: the file's name in errors.
  /// - Throws: ``SExtractorFileError`` if SExtractor does not know a keyword or a name; if a value
  ///   is missing, is not a number, or is out of its range; or if a setting has no counterpart here
  ///   and would make another catalogue.
  public init(text: String, file: String) throws {
    let reader = try SExtractorReader(text, file: file)
    self.init()
    func take<Value>(_ place: WritableKeyPath<Self, Value>, _ value: Value?) {
      if let value { self[keyPath: place] = value }
    }
    take(\.minimumArea, try reader.integer("DETECT_MINAREA", 1...1_000_000))
    take(\.deblendLevels, try reader.integer("DEBLEND_NTHRESH", 1...64))
    take(
      \.deblendContrast,
      try reader.number("DEBLEND_MINCONT", "a number from 0 to 1 is needed") {
        (0...1).contains($0)
      })
    take(\.cleans, try reader.flag("CLEAN"))
    take(
      \.cleanParameter,
      try reader.number("CLEAN_PARAM", "a number from 0.1 to 10 is needed") {
        (0.1...10).contains($0)
      })
    take(\.filters, try reader.flag("FILTER"))
    kernelPath = filters ? try reader.path("FILTER_NAME") : nil
    take(
      \.apertures,
      try reader.numbers(
        "PHOT_APERTURES", count: 1...Int.max, "diameters over 0 are needed, in pixels"
      ) { $0 > 0 })
    take(
      \.kron,
      try reader.numbers(
        "PHOT_AUTOPARAMS", count: 2...2, "two numbers from 0 to 10 are needed"
      ) { (0...10).contains($0) }
      .map { DetectionSettings.Kron(factor: $0[0], minimum: $0[1]) })
    take(
      \.saturation,
      try reader.number("SATUR_LEVEL", "a number is needed, in counts") { _ in true })
    take(
      \.gain,
      try reader.number("GAIN", "a number of 0 or more is needed, in photons a count") { $0 >= 0 })
    take(\.saturationKey, try reader.keyword("SATUR_KEY"))
    take(\.gainKey, try reader.keyword("GAIN_KEY"))
    columnsPath = try reader.path("PARAMETERS_NAME")
    selectsByAssociation =
      try reader.names("ASSOCSELEC_TYPE", of: ["ALL", "MATCHED", "-MATCHED"]) != ["ALL"]
    take(\.headerSuffix, try reader.path("HEADER_SUFFIX"))
    var unsupported = try readThreshold(reader)
    unsupported += try readMesh(reader)
    unsupported += try readWeights(reader)
    unsupported += try collectIgnored(reader)
    try Self.refuse(unsupported.sorted { $0.line < $1.line }, file: file)
  }

  private static func refuse(_ unsupported: [SExtractorSetting], file: String) throws {
    guard let first = unsupported.first else { return }
    let isOne = unsupported.count == 1
    let (names, verb) = SExtractorSetting.listed(unsupported, "has", "have")
    let isFormat = unsupported.contains { $0.keyword == "CATALOG_TYPE" }
    throw SExtractorFileError(
      .unsupported, file: file, line: isOne ? first.line : nil,
      fault: "\(names) \(verb) no counterpart here, and would make another catalogue",
      nextStep: "remove \(isOne ? "the line" : "the lines"), which means "
        + (isFormat
          ? "\(isOne ? "" : "SExtractor's defaults and ")that the ending of --catalog FILE chooses the "
            + "format: .csv, .ecsv, .fits or .reg"
          : "SExtractor's default"))
  }

  /// Reads the thresholds. They must be relative to the noise.
  ///
  /// - Returns: the settings that are not supported.
  private mutating func readThreshold(_ reader: SExtractorReader) throws -> [SExtractorSetting] {
    let types = try reader.names("THRESH_TYPE", of: ["RELATIVE", "ABSOLUTE"]) ?? []
    var unsupported = types.contains("ABSOLUTE") ? ["THRESH_TYPE"] : []
    for (keyword, place) in [
      ("DETECT_THRESH", \Self.threshold), ("ANALYSIS_THRESH", \Self.analysisThreshold),
    ] {
      guard let numbers = try thresholds(keyword, reader) else { continue }
      self[keyPath: place] = numbers[0]
      // A second number is a zero point in magnitudes, which turns the threshold into a surface
      // brightness.
      if numbers.count > 1 { unsupported.append(keyword) }
    }
    return reader.settings(unsupported)
  }

  private func thresholds(_ keyword: String, _ reader: SExtractorReader) throws -> [Double]? {
    try reader.numbers(keyword, count: 1...2, "a number over 0 is needed, in units of the noise") {
      $0 > 0
    }
  }

  /// Reads the side of the meshes, which must be square.
  private mutating func readMesh(_ reader: SExtractorReader) throws -> [SExtractorSetting] {
    guard let sides = try reader.integers("BACK_SIZE", count: 1...2, 1...2_000_000_000) else {
      return []
    }
    guard sides.allSatisfy({ $0 == sides[0] }) else { return reader.settings(["BACK_SIZE"]) }
    meshSide = sides[0]
    return []
  }

  /// Reads the weight map, and what it means. Only one map is supported, for detection and for
  /// measuring.
  private mutating func readWeights(_ reader: SExtractorReader) throws -> [SExtractorSetting] {
    if let scalesGain = try reader.flag("WEIGHT_GAIN") { self.scalesGain = scalesGain }
    let interpolations =
      try reader.names("INTERP_TYPE", of: ["NONE", "VAR_ONLY", "ALL"]) ?? ["ALL"]
    interpolates = interpolations == ["ALL"]
    let unsupported = [["ALL"], ["NONE"]].contains(interpolations) ? [] : ["INTERP_TYPE"]
    return try readWeightMap(reader) + reader.settings(unsupported)
  }

  private mutating func readWeightMap(_ reader: SExtractorReader) throws -> [SExtractorSetting] {
    let known = ["NONE", "BACKGROUND", "MAP_RMS", "MAP_VAR", "MAP_WEIGHT"]
    guard let types = try reader.names("WEIGHT_TYPE", of: known),
      types.contains(where: { $0 != "NONE" })
    else { return [] }
    guard types.allSatisfy({ $0 == "MAP_WEIGHT" }) else { return reader.settings(["WEIGHT_TYPE"]) }
    let path = try reader.path("WEIGHT_IMAGE") ?? "weight.fits"
    guard reader["WEIGHT_IMAGE"]?.differs(from: [path]) != true else {
      return reader.settings(["WEIGHT_IMAGE"])
    }
    weightPath = path
    return []
  }

  /// Collects the settings that ask for other files in ``ignored``.
  ///
  /// - Returns: the unsupported settings whose values are not SExtractor's defaults.
  private mutating func collectIgnored(_ reader: SExtractorReader) throws -> [SExtractorSetting] {
    var unsupported: [SExtractorSetting] = []
    for setting in reader.inOrder {
      switch SExtractorKeyword(setting.keyword) {
      case .outputFile(let usual, let names, let supported):
        if !names.isEmpty { _ = try reader.names(setting.keyword, of: names) }
        if supported.isEmpty {
          if setting.differs(from: usual) { ignored.append(setting) }
        } else if let value = setting.values.first, !supported.contains(value.uppercased()) {
          unsupported.append(setting)
        }
      case .unsupported(let usual, let names):
        try check(setting, usual: usual, names: names, reader)
        if setting.differs(from: usual) { unsupported.append(setting) }
      case .supported, .harmless, nil: break
      }
    }
    return unsupported
  }

  /// Checks the values of unsupported settings too, so that a typing error is not reported as an
  /// unsupported value.
  private func check(
    _ setting: SExtractorSetting, usual: [String], names: [String], _ reader: SExtractorReader
  ) throws {
    if !names.isEmpty {
      _ = try reader.names(setting.keyword, of: names)
    } else if let first = usual.first, Double(first) != nil {
      _ = try reader.numbers(
        setting.keyword, count: 1...Int.max, "SExtractor needs numbers here"
      ) { _ in true }
    }
  }
}
