/// What SkyScan makes of a keyword of SExtractor's configuration.
enum SExtractorKeyword: Hashable, Sendable {
  /// It has a counterpart.
  case read
  /// It has none, and can change what is in a catalogue, unless its value is SExtractor's default,
  /// which says no more than if it were not there. Other values are known by their names, if it is
  /// one of several names.
  case changing(usual: [String], names: [String] = [])
  /// It has none, and can change nothing that is in a catalogue here: how much is printed, other
  /// files that are written, measures that there are not, and what another keyword must turn on.
  case harmless

  /// - Parameter name: in capitals.
  /// - Returns: none if SExtractor knows no such keyword.
  init?(_ name: String) {
    guard let keyword = Self.all[name] else { return nil }
    self = keyword
  }

  private static let all = reads.merging(changes) { $1 }.merging(harmlessOnes) { $1 }

  private static let reads = keywords(
    """
    ANALYSIS_THRESH BACK_SIZE CLEAN CLEAN_PARAM DEBLEND_MINCONT DEBLEND_NTHRESH DETECT_MINAREA
    DETECT_THRESH FILTER FILTER_NAME GAIN PARAMETERS_NAME PHOT_APERTURES PHOT_AUTOPARAMS
    SATUR_LEVEL THRESH_TYPE WEIGHT_IMAGE WEIGHT_TYPE
    """, .read)

  private static let harmlessOnes = keywords(
    """
    BACKPHOTO_THICK BACK_VALUE CATALOG_NAME CATALOG_TYPE CHECKIMAGE_NAME CHECKIMAGE_TYPE DGEO_IMAGE
    FILTER_THRESH MAG_GAMMA MAG_ZEROPOINT MEMORY_BUFSIZE MEMORY_OBJSTACK MEMORY_PIXSTACK NTHREADS
    PATTERN_TYPE PIXEL_SCALE SEEING_FWHM SOM_NAME STARNNW_NAME VERBOSE_TYPE WRITE_XML XML_NAME
    XSL_URL
    """, .harmless)

  /// The defaults are those of `source-extractor -dd`, version 2.25. BACK_PEARSON came later.
  private static let changes: [String: SExtractorKeyword] = [
    "ASSOC_DATA": .changing(usual: ["2", "3", "4"]),
    "ASSOC_NAME": .changing(usual: ["sky.list"]),
    "ASSOC_PARAMS": .changing(usual: ["2", "3", "4"]),
    "ASSOC_RADIUS": .changing(usual: ["2"]),
    "ASSOC_TYPE": .changing(
      usual: ["NEAREST"],
      names: ["FIRST", "NEAREST", "MEAN", "MAG_MEAN", "SUM", "MAG_SUM", "MIN", "MAX"]),
    "ASSOCCOORD_TYPE": .changing(usual: ["PIXEL"], names: ["PIXEL", "WORLD"]),
    "ASSOCSELEC_TYPE": .changing(usual: ["MATCHED"], names: ["ALL", "MATCHED", "-MATCHED"]),
    "BACK_FILTERSIZE": .changing(usual: ["3"]),
    "BACK_FILTTHRESH": .changing(usual: ["0"]),
    "BACK_PEARSON": .changing(usual: ["2.5"]),
    "BACK_TYPE": .changing(usual: ["AUTO"], names: ["AUTO", "MANUAL"]),
    "BACKPHOTO_TYPE": .changing(usual: ["GLOBAL"], names: ["GLOBAL", "LOCAL"]),
    "DETECT_MAXAREA": .changing(usual: ["0"]),
    "DETECT_TYPE": .changing(usual: ["CCD"], names: ["CCD", "PHOTO"]),
    "DGEO_TYPE": .changing(usual: ["NONE"], names: ["NONE", "PIXEL"]),
    "FITS_UNSIGNED": .changing(usual: ["N"]),
    "FLAG_IMAGE": .changing(usual: ["flag.fits"]),
    "FLAG_TYPE": .changing(usual: ["OR"], names: ["OR", "AND", "MIN", "MAX", "MOST"]),
    "GAIN_KEY": .changing(usual: ["GAIN"]),
    "HEADER_SUFFIX": .changing(usual: [".head"]),
    "INTERP_MAXXLAG": .changing(usual: ["16"]),
    "INTERP_MAXYLAG": .changing(usual: ["16"]),
    "INTERP_TYPE": .changing(usual: ["ALL"], names: ["NONE", "VAR_ONLY", "ALL"]),
    "MASK_TYPE": .changing(usual: ["CORRECT"], names: ["NONE", "BLANK", "CORRECT"]),
    "PHOT_AUTOAPERS": .changing(usual: ["0"]),
    "PHOT_FLUXFRAC": .changing(usual: ["0.5"]),
    "PHOT_PETROPARAMS": .changing(usual: ["2", "3.5"]),
    "PSF_NAME": .changing(usual: ["default.psf"]),
    "PSF_NMAX": .changing(usual: ["1"]),
    "RESCALE_WEIGHTS": .changing(usual: ["Y"]),
    "SATUR_KEY": .changing(usual: ["SATURATE"]),
    "WEIGHT_GAIN": .changing(usual: ["Y"]),
    "WEIGHT_THRESH": .changing(usual: []),
  ]

  private static func keywords(
    _ names: String, _ keyword: SExtractorKeyword
  ) -> [String: SExtractorKeyword] {
    let names = names.split(whereSeparator: \.isWhitespace).map(String.init)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, keyword) })
  }
}
