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
    minimumArea = try reader.integer("DETECT_MINAREA", 1...1_000_000)
    deblendLevels = try reader.integer("DEBLEND_NTHRESH", 1...64)
    deblendContrast = try reader.number("DEBLEND_MINCONT", "a number from 0 to 1 is needed") {
      (0...1).contains($0)
    }
    cleans = try reader.flag("CLEAN")
    cleanParameter = try reader.number("CLEAN_PARAM", "a number from 0.1 to 10 is needed") {
      (0.1...10).contains($0)
    }
    filters = try reader.flag("FILTER")
    kernelPath = filters == false ? nil : try reader.path("FILTER_NAME")
    apertures = try reader.numbers(
      "PHOT_APERTURES", count: 1...Int.max, "diameters over 0 are needed, in pixels"
    ) { $0 > 0 }
    kron = try reader.numbers(
      "PHOT_AUTOPARAMS", count: 2...2, "two numbers from 0 to 10 are needed"
    ) { (0...10).contains($0) }
    .map { DetectionSettings.Kron(factor: $0[0], minimum: $0[1]) }
    saturation = try reader.number("SATUR_LEVEL", "a number is needed, in counts") { _ in true }
    gain = try reader.number("GAIN", "a number of 0 or more is needed, in photons a count") {
      $0 >= 0
    }
    saturationKey = try reader.keyword("SATUR_KEY")
    gainKey = try reader.keyword("GAIN_KEY")
    columnsPath = try reader.path("PARAMETERS_NAME")
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
    throw SExtractorFileError(
      .unsupported, file: file, line: isOne ? first.line : nil,
      fault: "\(names) \(verb) no counterpart here, and would make another catalogue",
      nextStep: "remove \(isOne ? "the line" : "the lines"), which means SExtractor's default")
  }

  /// Reads the threshold. It must be relative to the noise, and the same for detection and for
  /// measuring.
  ///
  /// - Returns: the settings that are not supported.
  private mutating func readThreshold(_ reader: SExtractorReader) throws -> [SExtractorSetting] {
    let types = try reader.names("THRESH_TYPE", of: ["RELATIVE", "ABSOLUTE"]) ?? []
    let detection = try thresholds("DETECT_THRESH", reader)
    let analysis = try thresholds("ANALYSIS_THRESH", reader)
    guard !types.contains("ABSOLUTE") else { return reader.settings(["THRESH_TYPE"]) }
    var unsupported: [String] = []
    // A second number is a zero point in magnitudes, which turns the threshold into a surface
    // brightness.
    if let detection, detection.count == 1 {
      threshold = detection[0]
    } else {
      unsupported.append("DETECT_THRESH")
    }
    // SExtractor's default threshold is 1.5.
    if let analysis, analysis.count > 1 || analysis[0] != threshold ?? 1.5 {
      unsupported.append("ANALYSIS_THRESH")
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

  /// Reads the weight map. Only one map is supported, for detection and for measuring.
  private mutating func readWeights(_ reader: SExtractorReader) throws -> [SExtractorSetting] {
    let known = ["NONE", "BACKGROUND", "MAP_RMS", "MAP_VAR", "MAP_WEIGHT"]
    guard let setting = reader["WEIGHT_TYPE"],
      let types = try reader.names("WEIGHT_TYPE", of: known),
      types.contains(where: { $0 != "NONE" })
    else { return [] }
    guard types.allSatisfy({ $0 == "MAP_WEIGHT" }) else { return reader.settings(["WEIGHT_TYPE"]) }
    guard let path = try reader.path("WEIGHT_IMAGE") else {
      throw SExtractorFileError(
        .missingValue, file: reader.file, line: setting.line,
        fault: "WEIGHT_TYPE is MAP_WEIGHT and there is no WEIGHT_IMAGE",
        nextStep: "add WEIGHT_IMAGE with the map's path")
    }
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
