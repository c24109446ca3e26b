import Logging
import SkyCatalog
import SkyDetection
import SkyFITS
import SkyNetCore
import SkyScan

/// The scan of an image, as the command line and the SExtractor files that it names describe it.
struct ImagePlan {
  let image: FITSImage
  let weights: FITSImage?
  let settings: SourceScan.Settings
  /// The catalogue's columns.
  let columns: [Column]

  /// The files that a configuration file names, with the options that would name them on the
  /// command line.
  let configured: [Check.File]

  /// An image of at most this many pixels is one task where many images are scanned, or only one at a time: so many
  /// that few images are cut for nothing, and so few that the last images of a night do not keep one system busy
  /// while others have nothing left.
  static let wholeLimit = 1 << 23
  /// The room that one must have to scan such an image as a whole, in bytes: for each pixel the number that the file
  /// has, the value and the label, and the same again.
  static let wholeBytes = wholeLimit * 2 * (4 + 4 + 4)

  /// Opens the image, the weight map and the SExtractor files.
  ///
  /// - Parameter wholeUpTo: an image of at most this many pixels is one sector, where it can be one, and the options
  ///   do not say how large a sector is.
  /// - Throws: `FITSError`, `SExtractorFileError`, `InvalidScan`.
  init(_ path: String, _ options: ImageOptions, wholeUpTo: Int = 0) async throws {
    let files = try options.config.map { try SExtractorFiles(configuration: $0) }
    if let file = options.config, let notice = files?.configuration.notice(file: file) {
      Console.standardError.line("note: \(notice)")
    }
    try await self.init(
      try ImageName(path).choosing(options.extension), options, files, wholeUpTo: wholeUpTo)
  }

  /// Opens the image and the weight map.
  ///
  /// - Parameters:
  ///   - files: what the options' configuration file says and names, or another one.
  ///   - weight: the name of the weight map, in precedence over the one in `files`.
  ///   - wholeUpTo: an image of at most this many pixels is one sector, where it can be one, and the options do not
  ///     say how large a sector is.
  /// - Throws: `FITSError`, `SExtractorFileError`, `InvalidScan`.
  init(
    _ name: ImageName, _ options: ImageOptions, _ files: SExtractorFiles?, wholeUpTo: Int = 0
  ) async throws {
    image = try await ImageReader.open(name)
    let weightName = options.weight ?? files?.weightPath
    configured = [
      ("weight", weightName.map { ImageName($0).path }), ("kernel", files?.kernelPath),
      ("columns", files?.columnsPath),
    ]
    var weights: FITSImage?
    if let weightName {
      weights = try await ImageReader.openWeights(weightName, extension: name.extension)
    }
    self.weights = weights
    let chosen = try options.chosenColumns ?? files?.columns
    columns = chosen ?? Column.usual
    // Checked before the scan, since the positions are needed only at its end.
    if columns.contains(where: \.isInSky) { try await image.checkSky(isAsked: chosen != nil) }
    settings = try Self.settings(image, options, files, columns: columns, wholeUpTo)
  }

  private static func settings(
    _ image: FITSImage, _ options: ImageOptions, _ files: SExtractorFiles?, columns: [Column],
    _ wholeUpTo: Int
  ) throws -> SourceScan.Settings {
    let configuration = files?.configuration
    let mesh = options.mesh ?? configuration?.meshSide ?? 64
    let side =
      options.sectorSize
      ?? (image.width * image.height <= wholeUpTo
        ? SectorGrid.wholeSide(width: image.width, height: image.height, mesh: mesh) : nil)
      ?? SectorGrid.defaultSide(width: image.width, height: image.height, mesh: mesh)
    let grid = try SectorGrid(width: image.width, height: image.height, side: side, mesh: mesh)
    var settings = SourceScan.Settings(grid: grid, coding: image.coding)
    settings.meshSide = mesh
    func take<Value>(
      _ place: WritableKeyPath<SourceScan.Settings, Value>, _ values: Value?...
    ) {
      if let value = values.lazy.compactMap({ $0 }).first { settings[keyPath: place] = value }
    }
    take(\.threshold, options.threshold, configuration?.threshold)
    take(\.minimumArea, options.minArea, configuration?.minimumArea)
    take(\.deblendLevels, options.deblendLevels, configuration?.deblendLevels)
    take(\.deblendContrast, options.deblendContrast, configuration?.deblendContrast)
    settings.saturation =
      options.saturation ?? image.number(configuration?.saturationKey)
      ?? configuration?.saturation
    take(\.gain, options.gain, image.number(configuration?.gainKey), configuration?.gain)
    take(\.maximumExtent, options.maxExtent)
    take(\.kernel, try options.kernel.map(SExtractorFiles.kernel), files?.kernel)
    if options.clean || configuration?.cleans == true {
      settings.cleaning = configuration?.cleanParameter ?? 1
    }
    take(\.apertures, try options.diameters, configuration?.apertures)
    settings.detection.measure(columns)
    if settings.kron != nil, let kron = configuration?.kron { settings.kron = kron }
    try settings.check()
    return settings
  }
}

extension FITSImage {
  /// - Parameter isAsked: whether the user asked for the columns of sky positions.
  /// - Throws: `InvalidScan` if the user asked for them and the image has no sky coordinates;
  ///   `FITSError`.
  fileprivate func checkSky(isAsked: Bool) async throws {
    do {
      try await checkSky()
    } catch let error as NoSkyPositions {
      guard isAsked else { return }
      throw InvalidScan(
        "\(path): no sky positions: \(error); ask for columns without ALPHA_J2000 and DELTA_J2000")
    }
  }
}

extension SExtractorFiles {
  /// The columns of the parameter file that SkyNet supports.
  fileprivate var columns: [Column]? {
    get throws {
      guard let parameters else { return nil }
      let unknown = parameters.columns.filter { Column(rawValue: $0.name.uppercased()) == nil }
        .map { FileWord.quotable($0.name) ?? "line \($0.line)" }
      if !unknown.isEmpty {
        Console.standardError.line(
          "\(configuration.columnsPath ?? "the list of columns"): "
            + "\(unknown.joined(separator: ", ")) do not exist here and are left out",
          level: .warning)
      }
      let columns = parameters.names.compactMap { Column(rawValue: $0.uppercased()) }
      guard !columns.isEmpty else {
        throw InvalidScan(
          "none of the columns in \(configuration.columnsPath ?? "the list") exists here; "
            + "name some with --columns")
      }
      return columns
    }
  }
}
