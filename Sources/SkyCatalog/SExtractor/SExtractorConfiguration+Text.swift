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
    let reader = try SExtractorReader(text, file: file, for: command)
    self.init(reader, for: command)
    try SExtractorFileError.check(reader.faults)
  }

  /// Reads the settings. The reader has the faults then.
  init(_ reader: SExtractorReader, for command: Command) {
    self.init(reader)
    if case .sex = command {
      warnings = reader.warnings
      readCheckImages(reader)
    }
    refuse(collectIgnored(reader, for: command), reader, for: command)
  }

  /// Reads all settings, also those that are refused.
  init(_ reader: SExtractorReader) {
    self.init()
    readCatalog(reader)
    readDetection(reader)
    readWeights(reader)
    readPhotometry(reader)
    readBackground(reader)
    readTold(reader)
    variables = reader.variables
    take(\.isQuiet, reader.names("VERBOSE_TYPE")?.first.map { $0 == "QUIET" })
    take(\.selectsByAssociation, reader.names("ASSOCSELEC_TYPE").map { $0 != ["ALL"] })
    take(\.headerSuffix, reader.path("HEADER_SUFFIX"))
  }

  private mutating func take<Value>(_ place: WritableKeyPath<Self, Value>, _ value: Value?) {
    if let value { self[keyPath: place] = value }
  }

  private mutating func readCatalog(_ reader: SExtractorReader) {
    take(\.catalogPath, reader.path("CATALOG_NAME"))
    take(
      \.catalogFormat,
      reader.names("CATALOG_TYPE")?.first.flatMap(SExtractorFormat.init(rawValue:)))
    columnsPath = reader.path("PARAMETERS_NAME")
  }

  /// There have to be as many names as types.
  private mutating func readCheckImages(_ reader: SExtractorReader) {
    let types = reader.words("CHECKIMAGE_TYPE") ?? []
    guard types.contains(where: { $0.uppercased() != "NONE" }) else { return }
    let paths = reader.paths("CHECKIMAGE_NAME") ?? ["check.fits"]
    guard types.count == paths.count else {
      return reader.note(
        .invalidValue, reader["CHECKIMAGE_NAME"] ?? reader["CHECKIMAGE_TYPE"],
        "there are \(types.count) values of CHECKIMAGE_TYPE, and \(paths.count) of CHECKIMAGE_NAME",
        nextStep: "name a file for each check image")
    }
    checkImages = zip(types, paths).compactMap { type, path in
      CheckImage.Kind(rawValue: type.uppercased()).map { CheckImage($0, path: path) }
    }
  }

  private mutating func readDetection(_ reader: SExtractorReader) {
    take(\.minimumArea, reader.integer("DETECT_MINAREA"))
    take(\.maximumArea, reader.integer("DETECT_MAXAREA"))
    if let types = reader.names("THRESH_TYPE") {
      isThresholdAbsolute = types[0] == "ABSOLUTE"
      isAnalysisThresholdAbsolute = types[types.count - 1] == "ABSOLUTE"
    }
    if let numbers = reader.numbers("DETECT_THRESH") {
      threshold = numbers[0]
      thresholdZeroPoint = numbers.dropFirst().first
    }
    if let numbers = reader.numbers("ANALYSIS_THRESH") {
      analysisThreshold = numbers[0]
      analysisZeroPoint = numbers.dropFirst().first
    }
    take(\.filters, reader.flag("FILTER"))
    kernelPath = filters ? reader.path("FILTER_NAME") : nil
    take(\.deblendLevels, reader.integer("DEBLEND_NTHRESH"))
    take(\.deblendContrast, reader.number("DEBLEND_MINCONT"))
    take(\.cleans, reader.flag("CLEAN"))
    take(\.cleanParameter, reader.number("CLEAN_PARAM"))
    take(\.masking, reader.names("MASK_TYPE")?.first.flatMap(DetectionSettings.Masking.init))
  }

  private mutating func readWeights(_ reader: SExtractorReader) {
    weightKind = reader.names("WEIGHT_TYPE")?.first.flatMap {
      SExtractorKeyword.weightKinds[$0]
    }
    if let weightKind, weightKind != .background {
      weightPath = reader.path("WEIGHT_IMAGE") ?? "weight.fits"
    }
    take(\.rescalesWeights, reader.flag("RESCALE_WEIGHTS"))
    take(\.scalesGain, reader.flag("WEIGHT_GAIN"))
    weightThreshold = reader.number("WEIGHT_THRESH")
    take(\.interpolates, reader.names("INTERP_TYPE").map { $0[0] == "ALL" })
    readSecondWeights(reader)
  }

  /// With two types or names of weights, SExtractor reads them twice, to detect and to measure, though the image is one
  /// and the two mean the same. What one value says holds then for detection alone: it measures without interpolation,
  /// and with the usual threshold.
  private mutating func readSecondWeights(_ reader: SExtractorReader) {
    func count(_ keyword: String) -> Int { reader[keyword]?.values.count ?? 0 }
    guard weightKind != nil, max(count("WEIGHT_TYPE"), count("WEIGHT_IMAGE")) == 2 else { return }
    if count("WEIGHT_THRESH") == 1 {
      reader.note(
        .unsupported, reader["WEIGHT_THRESH"],
        "WEIGHT_THRESH has one value, and there are two types or names of weights: SExtractor measures without it",
        nextStep: "write its value twice, or each type and name of weights once")
    }
    interpolatesToDetect =
      interpolates && weightPath != nil
      && ["INTERP_TYPE", "INTERP_MAXXLAG", "INTERP_MAXYLAG"].contains { count($0) < 2 }
  }

  private mutating func readPhotometry(_ reader: SExtractorReader) {
    take(\.apertures, reader.numbers("PHOT_APERTURES"))
    take(
      \.kron,
      reader.numbers("PHOT_AUTOPARAMS")
        .map { DetectionSettings.Kron(factor: $0[0], minimum: $0[1]) })
    take(\.petrosian, reader.numbers("PHOT_PETROPARAMS"))
    take(
      \.leastCircles,
      reader.numbers("PHOT_AUTOAPERS")
        .map { DetectionSettings.LeastCircles(search: $0[0], flux: $0[1]) })
    take(\.fluxFractions, reader.numbers("PHOT_FLUXFRAC"))
    take(\.saturation, reader.number("SATUR_LEVEL"))
    take(\.saturationKey, reader.headerKeyword("SATUR_KEY"))
    take(\.zeroPoint, reader.number("MAG_ZEROPOINT"))
    take(\.gain, reader.number("GAIN"))
    take(\.gainKey, reader.headerKeyword("GAIN_KEY"))
    take(\.pixelScale, reader.number("PIXEL_SCALE"))
    take(\.seeing, reader.number("SEEING_FWHM"))
    take(\.networkPath, reader.path("STARNNW_NAME"))
  }

  private mutating func readBackground(_ reader: SExtractorReader) {
    // Of two types and values, those are for two images. Here they are the same image: as in
    // SExtractor, either type makes its background manual, and the first value is its level.
    let value = reader.numbers("BACK_VALUE")?[0] ?? 0
    if reader.names("BACK_TYPE")?.contains("MANUAL") == true { manualBackground = value }
    if let sides = reader.integers("BACK_SIZE") {
      (meshWidth, meshHeight) = (sides[0], sides[sides.count - 1])
    }
    if let sides = reader.integers("BACK_FILTERSIZE") {
      (filterWidth, filterHeight) = (sides[0], sides[sides.count - 1])
    }
    take(\.filterThreshold, reader.number("BACK_FILTTHRESH"))
    take(\.told.localThickness, reader.integer("BACKPHOTO_THICK"))
    if reader.names("BACKPHOTO_TYPE")?[0] == "LOCAL" { localThickness = told.localThickness }
  }

  /// Reads what only headers tell. As nothing depends on it, a word that is no number is passed over.
  private mutating func readTold(_ reader: SExtractorReader) {
    func word(_ keyword: String) -> String? { reader.words(keyword)?.first }
    take(\.told.gamma, word("MAG_GAMMA").flatMap(Double.init))
    take(\.told.objectStack, word("MEMORY_OBJSTACK").flatMap(SExtractorReader.plainInteger))
    take(\.told.pixelStack, word("MEMORY_PIXSTACK").flatMap(SExtractorReader.plainInteger))
    take(\.told.bufferRows, word("MEMORY_BUFSIZE").flatMap(SExtractorReader.plainInteger))
  }
}
