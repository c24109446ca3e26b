import Logging
import SkyCatalog
import SkyDetection
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyNetCore
import SkyScan

/// The scan of an image, as the command line and the SExtractor files that it names describe it.
struct ImagePlan {
  let image: FITSImage
  let weights: FITSImage?
  let settings: SourceScan.Settings
  let catalogSettings: CatalogSettings
  /// What only the configuration tells of the scan.
  private let extraction: ExtractionHeader
  /// The catalogue's columns.
  let columns: [Column]
  /// The ending of the file beside the image whose cards replace those of its header, if there is
  /// such a file; `nil` if none is used.
  let headerSuffix: String?
  /// Which cards of the header were taken for keys that are not their names.
  let keyNotes: [String]
  /// What is wrong with the catalogue's contents, as far as that is known without the pixels.
  let warnings: [String]
  /// Whether nothing is said of what SExtractor passes over: checksums, and positions that the header does not tell.
  let saysLess: Bool

  /// The files that a configuration file names, with the options that would name them on the
  /// command line.
  let configured: [FileOption]
  /// The files that the catalogue depends on.
  let inputs: [OpenedFile]

  /// Where many images are scanned, or one scan runs at a time, an image of at most this many pixels is one task. A
  /// lower limit would cut more images for nothing. With a higher one, the last images of a night would keep one system
  /// busy while others have nothing left.
  static let wholeLimit = 1 << 23
  /// The bytes that a scan of such an image as a whole takes: for each pixel its number in the file, its value and its
  /// label, and the same again.
  static let wholeBytes = wholeLimit * 2 * (4 + 4 + 4)

  /// The most pixels of an image that is one task where it is the only one. Cut, an image costs up to two
  /// thirds more; with several slots that pays for larger ones, which end sooner.
  static func wholeLimit(slots: Int) -> Int { slots == 1 ? wholeLimit : wholeLimit / 2 }

  /// Opens the image, the weight map and the SExtractor files.
  ///
  /// - Parameter wholeUpTo: an image of at most this many pixels is one sector, where it can be one, and the options
  ///   do not say how large a sector is.
  /// - Throws: `FITSError`, `SExtractorFileError`, `InvalidScan`, ``StrictError``.
  init(_ path: String, _ options: ImageOptions, wholeUpTo: Int = 0) async throws {
    let files = try SettingsFiles(options)
    try files.report(options)
    try await self.init(
      try ImageName(path).choosing(options.extension), options, files, wholeUpTo: wholeUpTo)
  }

  /// Opens the image and the weight map.
  ///
  /// - Parameters:
  ///   - settingsFiles: the files with settings that the options name, or others.
  ///   - wholeUpTo: an image of at most this many pixels is one sector, where it can be one, and the options do not
  ///     say how large a sector is.
  /// - Throws: `FITSError`, `SExtractorFileError`, `InvalidScan`.
  init(
    _ name: ImageName, _ options: ImageOptions, _ settingsFiles: SettingsFiles, wholeUpTo: Int = 0
  ) async throws {
    let files = settingsFiles.files
    image = try await ImageReader.open(name, headerSuffix: files?.headerSuffix)
    headerSuffix = files?.headerSuffix
    let weightName = options.weight ?? files?.weightPath
    configured = [
      ("weight", weightName.map { ImageName($0).path }), ("kernel", files?.kernelPath),
      ("columns", files?.columnsPath), ("config", files?.networkPath),
      ("config", image.headerFile?.path),
    ]
    weights = try await Self.weights(weightName, name, options, files)
    let chosen = try options.chosenColumns ?? files?.columns
    let warnings = image.headerWarnings(options, files) + (weights?.weightWarnings ?? [])
    keyNotes = image.keyNotes(options, files)
    // Checked before the scan, since the positions are needed only at its end.
    catalogSettings = files.map(CatalogSettings.init) ?? CatalogSettings()
    var extraction =
      files.map { ExtractionHeader($0.configuration, file: settingsFiles.path) }
      ?? ExtractionHeader()
    if options.sextractor != nil { extraction.times = try ExtractionTimes() }
    self.extraction = extraction
    var skyWarnings: [String] = []
    columns = try await image.served(
      chosen ?? Column.usual, catalogSettings, isAsked: chosen != nil,
      keepsAll: options.sextractor != nil, &skyWarnings)
    saysLess = options.sextractor != nil && !options.strict && files?.configuration.isQuiet == true
    self.warnings = warnings + (saysLess ? [] : skyWarnings)
    settings = try Self.settings(
      image, weights, options, settingsFiles, columns: columns,
      thresholds: try await Thresholds(files?.configuration, of: image, isWeighted: weights != nil),
      wholeUpTo)
    try catalogSettings.check(columns)
    if options.weight == nil, files?.configuration.interpolatesToDetect == true {
      try await weights?.checkForDetection(
        settings.detection.weighting, name: files?.configuration.weightPath)
    }
    inputs =
      [image.opened, image.headerFile?.opened, weights?.opened].compactMap(\.self)
      + settingsFiles.opened
  }

  private static func weights(
    _ text: String?, _ name: ImageName, _ options: ImageOptions, _ files: SExtractorFiles?
  ) async throws -> FITSImage? {
    guard let text else { return nil }
    do {
      return try await ImageReader.openWeights(text, extension: name.extension)
    } catch let error as FITSError {
      guard options.weight == nil else { throw error }
      let name = SExtractorFiles.name(error.path, files?.configuration.weightPath)
      throw FITSError(error.code, path: name, fault: error.fault, nextStep: error.nextStep)
    }
  }

  private static func settings(
    _ image: FITSImage, _ weights: FITSImage?, _ options: ImageOptions,
    _ settingsFiles: SettingsFiles,
    columns: [Column], thresholds: Thresholds?, _ wholeUpTo: Int
  ) throws -> SourceScan.Settings {
    let files = settingsFiles.files
    var detection = DetectionSettings()
    if let configuration = files?.configuration { detection.take(configuration, of: image) }
    thresholds?.set(&detection)
    if weights == nil {
      detection.ignoreWeights()
    } else if detection.weighting.kind == .background {
      // An option named the file, and overrules the configuration.
      detection.weighting.kind = .weight
    }
    func take<Value>(_ place: WritableKeyPath<DetectionSettings, Value>, _ value: Value?) {
      if let value { detection[keyPath: place] = value }
    }
    take(\.mesh, options.mesh.map { DetectionSettings.MeshSize($0) })
    if let threshold = options.threshold {
      (detection.threshold, detection.isThresholdAbsolute) = (threshold, false)
    }
    take(\.minimumArea, options.minArea)
    take(\.deblendLevels, options.deblendLevels)
    take(\.deblendContrast, options.deblendContrast)
    if let saturation = options.saturation { detection.saturation = saturation }
    take(\.gain, options.gain)
    take(\.maximumExtent, options.maxExtent)
    take(\.kernel, settingsFiles.kernel ?? files?.kernel)
    if options.clean { detection.cleaning = files?.configuration.cleanParameter ?? 1 }
    take(\.apertures, try options.diameters)
    if options.columns == nil, let count = files?.parameters?.apertureCount {
      detection.takeApertures(count)
    }
    if options.columns == nil, let count = files?.parameters?.fractionCount {
      detection.takeFluxFractions(count)
    }
    detection.measure(columns)
    let mesh = detection.mesh
    let side =
      options.sectorSize
      ?? (image.width * image.height <= wholeUpTo
        ? SectorGrid.wholeSide(width: image.width, height: image.height, mesh: mesh) : nil)
      ?? SectorGrid.defaultSide(width: image.width, height: image.height, mesh: mesh)
    let grid = try SectorGrid(
      width: image.width, height: image.height, side: side, halo: detection.halo(side: side),
      mesh: mesh)
    var settings = SourceScan.Settings(grid: grid, coding: image.coding)
    settings.detection = detection
    try settings.check()
    return settings
  }
}

extension ImagePlan {
  /// The job of the plan.
  ///
  /// - Throws: `InvalidScan`.
  func job() throws -> ImageJob {
    var job = try ImageJob(image: image, weights: weights, settings: settings)
    (job.catalogSettings, job.extraction) = (catalogSettings, extraction)
    return job
  }
}

extension CatalogSettings {
  fileprivate init(_ files: SExtractorFiles) {
    let configuration = files.configuration
    self.init(
      zeroPoint: configuration.zeroPoint, pixelScale: configuration.pixelScale,
      seeing: configuration.seeing, networkPath: configuration.networkPath)
    network = files.network
  }
}

extension DetectionSettings {
  /// Takes a configuration's settings, and those that the image's header has in precedence over it.
  fileprivate mutating func take(_ configuration: SExtractorConfiguration, of image: FITSImage) {
    takeBackground(configuration, of: image)
    minimumArea = configuration.minimumArea
    maximumArea = configuration.maximumArea
    deblendLevels = configuration.deblendLevels
    deblendContrast = configuration.deblendContrast
    cleaning = configuration.cleans ? configuration.cleanParameter : nil
    saturation = image.keyed(configuration.saturationKey)?.number ?? configuration.saturation
    // As in SExtractor, a gain of the header counts even if it is none.
    gain = max(0, image.keyed(configuration.gainKey)?.number ?? configuration.gain)
    weighting = Weighting(
      kind: configuration.weightKind ?? .weight, rescales: configuration.rescalesWeights,
      threshold: configuration.weightThreshold)
    scalesGain = configuration.scalesGain
    interpolates = configuration.interpolates
    apertures = configuration.apertures
    masking = configuration.masking
    kron = configuration.kron
    leastCircles = configuration.leastCircles
    let petrosian = configuration.petrosian
    self.petrosian = Petrosian(factor: petrosian[0], minimum: petrosian[1])
    fluxFractions = configuration.fluxFractions
  }

  private mutating func takeBackground(
    _ configuration: SExtractorConfiguration, of image: FITSImage
  ) {
    // A mesh that is larger than the image is as good as any that is.
    func side(_ configured: Int, _ length: Int) -> Int {
      length <= SectorGrid.maximumSide ? min(configured, SectorGrid.maximumSide) : configured
    }
    mesh = DetectionSettings.MeshSize(
      width: side(configuration.meshWidth, image.width),
      height: side(configuration.meshHeight, image.height))
    meshFilter = DetectionSettings.MeshFilter(
      width: configuration.filterWidth, height: configuration.filterHeight,
      threshold: configuration.filterThreshold)
    backgroundLevel = configuration.manualBackground
    localThickness = configuration.localThickness
  }
}
