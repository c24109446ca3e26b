import ArgumentParser
import SkyCatalog
import SkyDetection
import SkyFITS
import SkyNetCommand

/// How an image is scanned for sources.
struct ImageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Take the settings of SExtractor's configuration file, and SExtractor's defaults for what it does \
      not say. A setting that SkyNet lacks and that would change the catalogue is an error. Options on \
      the command line take precedence.
      """, valueName: "default.sex"), completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp(
      """
      The image to take from a file that has several, by its number (0 is the primary one, as for \
      CFITSIO and DS9) or its EXTNAME; FILE[2] or FILE[CCD2] does the same. A weight map with several \
      images gives the same one, unless its name chooses another.
      """, valueName: "number|name"))
  var `extension`: String?

  @Option(
    parsing: .unconditional,
    help:
      "How far above the background a source's pixels are, in units of the noise. (default: 1.5)"
  )
  var threshold: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many pixels a source has at least. (default: 5)", valueName: "pixels"))
  var minArea: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The side of the meshes that the background is estimated on. (default: 64)",
      valueName: "pixels"))
  var mesh: Int?

  @Option(
    help: ArgumentHelp(
      "The kernel that smooths the image to find sources. (default: 1 2 1, 2 4 2, 1 2 1)",
      valueName: "file.conv"), completion: .file())
  var kernel: String?

  @Option(
    parsing: .unconditional,
    help: "How many levels separate sources that touch; 1 separates none. (default: 32)")
  var deblendLevels: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The fraction of the common flux that each separated source must have. (default: 0.005)",
      valueName: "fraction"))
  var deblendContrast: Double?

  @Flag(help: "Drop sources that may be the wings of a brighter one, and add them to that one.")
  var clean = false

  @Option(
    help: ArgumentHelp(
      """
      Weights of the pixels: what WEIGHT_TYPE of the configuration says, or in proportion to \
      1/variance, where 0 masks a pixel.
      """,
      valueName: "map.fits"), completion: .file())
  var weight: String?

  @Option(
    parsing: .unconditional,
    help: "The value from which a pixel is saturated; FLAGS marks it. (default: none)")
  var saturation: Double?

  @Option(
    parsing: .unconditional,
    help: "Photons per count, for FLUXERR_ISO; 0 means infinitely many. (default: 0)")
  var gain: Double?

  @Option(
    help: ArgumentHelp(
      "The diameters of FLUX_APER's circles, in pixels; at most 64, of at most 1024. (default: 5)",
      valueName: "pixels,…"))
  var apertures: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The longest side of a group of pixels that is separated into sources; a longer one is a single \
      source. (default: 2048)
      """, valueName: "pixels"))
  var maxExtent: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The side of a sector, a multiple of the mesh. The catalogue does not depend on it. (default: about \
      512; 1024 for images of 8192 × 8192 pixels or more)
      """, valueName: "pixels"))
  var sectorSize: Int?

  @Option(
    help: ArgumentHelp(
      """
      The catalogue's columns, by SExtractor's names; only these are measured. \
      (default: isophotal measures and one aperture)
      """, valueName: "NAME,…"), completion: .list(Column.allCases.map(\.rawValue)))
  var columns: String?

  @Flag(
    help: """
      Make it an error if a column that is asked for must be left out, or if the image is not what its \
      checksums (DATASUM, CHECKSUM) say. Without this option there is a warning.
      """)
  var strict = false

  /// The settings of the command line of `skynet sex`; `nil` for other commands.
  var sextractor: [SExtractorSetting]?
  /// Whether a catalogue has the format that the configuration names.
  var namesFormat = false

  /// For which command a configuration is read.
  var sextractorCommand: SExtractorConfiguration.Command {
    sextractor.map { .sex($0) } ?? (namesFormat ? .engageInFormat : .engage)
  }

  /// Whether an option says how to scan, other than which image and which columns.
  private var areSettingsGiven: Bool {
    clean
      || [config, kernel, apertures].contains { $0 != nil }
      || [minArea, mesh, deblendLevels, maxExtent, sectorSize].contains { $0 != nil }
      || [threshold, deblendContrast, saturation, gain].contains { $0 != nil }
  }

  func validate() throws {
    try Check.positive("threshold", threshold)
    try Check.range("min-area", minArea, 1...Int.max)
    try Check.range("mesh", mesh, 8...SectorGrid.maximumSide)
    try Check.range("deblend-levels", deblendLevels, 1...64)
    try Check.range("deblend-contrast", deblendContrast, 0...1)
    try Check.range("gain", gain, 0...Double.infinity)
    try Check.range("max-extent", maxExtent, 1...Int.max)
    _ = try chosenColumns
    _ = try diameters
    if let saturation, !saturation.isFinite {
      throw ValidationError("--saturation is \(saturation), but a number is needed")
    }
    // A configuration file may set another mesh.
    if let sectorSize, config == nil {
      do {
        _ = try SectorGrid(
          width: sectorSize, height: sectorSize, side: sectorSize,
          mesh: DetectionSettings.MeshSize(mesh ?? 64))
      } catch {
        throw ValidationError("--sector-size: \(error)")
      }
    }
  }

  /// The files that are read, with the options that name them.
  var files: [FileOption] { [("weight", weight.map { ImageName($0).path })] + settingsFiles }

  /// The files that hold settings, with the options that name them.
  var settingsFiles: [FileOption] { [("config", config), ("kernel", kernel)] }

  /// - Throws: `ValidationError` if settings are given in addition to a background file, which
  ///   holds them.
  func checkBackground(_ file: String?) throws {
    guard file != nil, areSettingsGiven else { return }
    throw ValidationError(
      "the background file holds the settings that it was made with: leave all but --weight, "
        + "--extension and --columns out")
  }

  /// The columns that the command line asks for.
  var chosenColumns: [Column]? {
    get throws {
      try columns.map { list in
        var chosen: [Column] = []
        for name in Self.names(in: list) {
          // Most are written as they are called, and each image of a night asks.
          let column =
            try Column(rawValue: String(name))
            ?? Column(rawValue: name.filter { !$0.isWhitespace }.uppercased())
            ?? Column(stamp: name.filter { !$0.isWhitespace })
          guard let column else {
            let name = name.filter { !$0.isWhitespace }
            let names = Column.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--columns: \"\(name)\" is none of \(names)")
          }
          guard !chosen.contains(column) else {
            throw ValidationError("--columns has \(column.rawValue) twice: leave one out")
          }
          chosen.append(column)
        }
        return chosen
      }
    }
  }

  /// The names between the list's commas, other than those in parentheses.
  private static func names(in list: String) -> [Substring] {
    var isInside = false
    return list.split(omittingEmptySubsequences: false) { character in
      if "()".contains(character) { isInside = character == "(" }
      return character == "," && !isInside
    }
  }

  var diameters: [Double]? {
    get throws {
      try apertures.map { list in
        try list.split(separator: ",", omittingEmptySubsequences: false).map { text in
          guard let diameter = Double(text), diameter > 0, diameter.isFinite else {
            throw ValidationError("--apertures: \"\(text)\" is no diameter in pixels")
          }
          return diameter
        }
      }
    }
  }
}
