import SkyDetection

extension SExtractorConfiguration {
  /// Which command reads a configuration.
  package enum Command: Sendable {
    /// Options name the outputs, and a keyword that SExtractor does not know is a fault.
    case engage
    /// The same, but the configuration names the format of one of the outputs.
    case engageInFormat
    /// The configuration names the outputs, and a keyword that SExtractor does not know is skipped, as in SExtractor.
    /// The settings come from the command line, and overrule the file's.
    case sex([SExtractorSetting])
  }

  /// Reads the text of a configuration file.
  ///
  /// - Parameters:
  ///   - text: the file's text.
  ///   - file: the file's name in errors.
  /// - Throws: ``SExtractorFileError`` if SExtractor does not know a keyword or a name; if a value
  ///   is missing, is not a number, or is out of its range; or if a setting has no counterpart here
  ///   and would make another catalogue.
  public init(text: String, file: String) throws {
    try self.init(text: text, file: file, for: .engage)
  }

  package init(text: String, file: String, for command: Command) throws {
    let reader =
      switch command {
      case .engage, .engageInFormat: try SExtractorReader(text, file: file)
      case .sex(let given):
        try SExtractorReader(text, file: file, commandLine: given, isLenient: true)
      }
    try self.init(reader)
    if case .sex = command {
      warnings = reader.warnings
      try readCheckImages(reader)
    }
    try refuse(collectIgnored(reader, for: command), reader, for: command)
  }

  /// Reads all settings, also those that are refused.
  init(_ reader: SExtractorReader) throws {
    self.init()
    try readCatalog(reader)
    try readDetection(reader)
    try readWeights(reader)
    try readPhotometry(reader)
    try readBackground(reader)
    try readTold(reader)
    take(\.isQuiet, try reader.names("VERBOSE_TYPE")?.first.map { $0 == "QUIET" })
    take(\.selectsByAssociation, try reader.names("ASSOCSELEC_TYPE").map { $0 != ["ALL"] })
    take(\.headerSuffix, try reader.path("HEADER_SUFFIX"))
  }

  private mutating func take<Value>(_ place: WritableKeyPath<Self, Value>, _ value: Value?) {
    if let value { self[keyPath: place] = value }
  }

  private mutating func readCatalog(_ reader: SExtractorReader) throws {
    take(\.catalogPath, try reader.path("CATALOG_NAME"))
    take(
      \.catalogFormat,
      try reader.names("CATALOG_TYPE")?.first.flatMap(SExtractorFormat.init(rawValue:)))
    columnsPath = try reader.path("PARAMETERS_NAME")
  }

  /// - Throws: ``SExtractorFileError`` if there are not as many names as types.
  private mutating func readCheckImages(_ reader: SExtractorReader) throws {
    let types = try reader.words("CHECKIMAGE_TYPE") ?? []
    guard types.contains(where: { $0.uppercased() != "NONE" }) else { return }
    let paths = try reader.words("CHECKIMAGE_NAME") ?? ["check.fits"]
    guard types.count == paths.count else {
      throw reader.fault(
        .invalidValue, reader["CHECKIMAGE_NAME"] ?? reader["CHECKIMAGE_TYPE"],
        "there are \(types.count) values of CHECKIMAGE_TYPE, and \(paths.count) of CHECKIMAGE_NAME",
        nextStep: "name a file for each check image")
    }
    checkImages = zip(types, paths).compactMap { type, path in
      CheckImage.Kind(rawValue: type.uppercased()).map { CheckImage($0, path: path) }
    }
  }

  private mutating func readDetection(_ reader: SExtractorReader) throws {
    take(\.minimumArea, try reader.integer("DETECT_MINAREA"))
    take(\.maximumArea, try reader.integer("DETECT_MAXAREA"))
    if let types = try reader.names("THRESH_TYPE") {
      isThresholdAbsolute = types[0] == "ABSOLUTE"
      isAnalysisThresholdAbsolute = types[types.count - 1] == "ABSOLUTE"
    }
    if let numbers = try reader.numbers("DETECT_THRESH") {
      threshold = numbers[0]
      thresholdZeroPoint = numbers.dropFirst().first
    }
    if let numbers = try reader.numbers("ANALYSIS_THRESH") {
      analysisThreshold = numbers[0]
      analysisZeroPoint = numbers.dropFirst().first
    }
    take(\.filters, try reader.flag("FILTER"))
    kernelPath = filters ? try reader.path("FILTER_NAME") : nil
    take(\.deblendLevels, try reader.integer("DEBLEND_NTHRESH"))
    take(\.deblendContrast, try reader.number("DEBLEND_MINCONT"))
    take(\.cleans, try reader.flag("CLEAN"))
    take(\.cleanParameter, try reader.number("CLEAN_PARAM"))
    take(\.masking, try reader.names("MASK_TYPE")?.first.flatMap(DetectionSettings.Masking.init))
  }

  private mutating func readWeights(_ reader: SExtractorReader) throws {
    weightKind = try reader.names("WEIGHT_TYPE")?.first.flatMap {
      SExtractorKeyword.weightKinds[$0]
    }
    if let weightKind, weightKind != .background {
      weightPath = try reader.path("WEIGHT_IMAGE") ?? "weight.fits"
    }
    take(\.rescalesWeights, try reader.flag("RESCALE_WEIGHTS"))
    take(\.scalesGain, try reader.flag("WEIGHT_GAIN"))
    weightThreshold = try reader.number("WEIGHT_THRESH")
    take(\.interpolates, try reader.names("INTERP_TYPE").map { $0[0] == "ALL" })
  }

  private mutating func readPhotometry(_ reader: SExtractorReader) throws {
    take(\.apertures, try reader.numbers("PHOT_APERTURES"))
    take(
      \.kron,
      try reader.numbers("PHOT_AUTOPARAMS")
        .map { DetectionSettings.Kron(factor: $0[0], minimum: $0[1]) })
    take(\.petrosian, try reader.numbers("PHOT_PETROPARAMS"))
    take(
      \.leastCircles,
      try reader.numbers("PHOT_AUTOAPERS")
        .map { DetectionSettings.LeastCircles(search: $0[0], flux: $0[1]) })
    take(\.fluxFractions, try reader.numbers("PHOT_FLUXFRAC"))
    take(\.saturation, try reader.number("SATUR_LEVEL"))
    take(\.saturationKey, try reader.headerKeyword("SATUR_KEY"))
    take(\.zeroPoint, try reader.number("MAG_ZEROPOINT"))
    take(\.gain, try reader.number("GAIN"))
    take(\.gainKey, try reader.headerKeyword("GAIN_KEY"))
    take(\.pixelScale, try reader.number("PIXEL_SCALE"))
    take(\.seeing, try reader.number("SEEING_FWHM"))
    take(\.networkPath, try reader.path("STARNNW_NAME"))
  }

  private mutating func readBackground(_ reader: SExtractorReader) throws {
    // Of two types and values, those are for two images. Here they are the same image: as in
    // SExtractor, either type makes its background manual, and the first value is its level.
    let value = try reader.numbers("BACK_VALUE")?[0] ?? 0
    if try reader.names("BACK_TYPE")?.contains("MANUAL") == true { manualBackground = value }
    if let sides = try reader.integers("BACK_SIZE") {
      (meshWidth, meshHeight) = (sides[0], sides[sides.count - 1])
    }
    if let sides = try reader.integers("BACK_FILTERSIZE") {
      (filterWidth, filterHeight) = (sides[0], sides[sides.count - 1])
    }
    take(\.filterThreshold, try reader.number("BACK_FILTTHRESH"))
    take(\.told.localThickness, try reader.integer("BACKPHOTO_THICK"))
    if try reader.names("BACKPHOTO_TYPE")?[0] == "LOCAL" { localThickness = told.localThickness }
  }

  /// Reads what only headers tell. As nothing depends on it, a word that is no number is passed over.
  private mutating func readTold(_ reader: SExtractorReader) throws {
    func word(_ keyword: String) throws -> String? { try reader.words(keyword)?.first }
    take(\.told.gamma, try word("MAG_GAMMA").flatMap(Double.init))
    take(\.told.objectStack, try word("MEMORY_OBJSTACK").flatMap(SExtractorReader.integer))
    take(\.told.pixelStack, try word("MEMORY_PIXSTACK").flatMap(SExtractorReader.integer))
    take(\.told.bufferRows, try word("MEMORY_BUFSIZE").flatMap(SExtractorReader.integer))
  }
}
