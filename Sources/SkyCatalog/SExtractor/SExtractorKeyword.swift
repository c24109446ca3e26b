/// How SkyNet treats a keyword of SExtractor's configuration.
enum SExtractorKeyword: Hashable, Sendable {
  /// The keyword has a counterpart.
  case supported
  /// The keyword has no counterpart, and can change the catalogue, unless its value is SExtractor's
  /// default. `names` are the values that SExtractor knows, if it knows a fixed set.
  case unsupported(usual: [String], names: [String] = [])
  /// The keyword asks for an output file, and does not change its contents. `names` are the values
  /// that SExtractor knows, if it knows a fixed set. `supported` are the values whose format exists
  /// here, or that mean no file. If there are none, a notice tells that the keyword is ignored,
  /// unless its value is SExtractor's default.
  case outputFile(usual: [String], names: [String] = [], supported: [String] = [])
  /// The keyword has no counterpart, and cannot change a catalogue here: it controls messages,
  /// names of other files, measures that SkyNet does not take, or details of a setting that another
  /// keyword must turn on.
  case harmless

  /// - Parameter name: the keyword in capitals.
  /// - Returns: `nil` if SExtractor knows no such keyword.
  init?(_ name: String) {
    guard let keyword = Self.all[name] else { return nil }
    self = keyword
  }

  private static let all =
    [unsupportedKeywords, harmlessKeywords, outputFileKeywords]
    .reduce(supportedKeywords) { all, others in all.merging(others) { $1 } }

  private static let supportedKeywords = keywords(
    """
    ANALYSIS_THRESH BACK_SIZE CLEAN CLEAN_PARAM DEBLEND_MINCONT DEBLEND_NTHRESH DETECT_MINAREA
    DETECT_THRESH FILTER FILTER_NAME GAIN GAIN_KEY HEADER_SUFFIX INTERP_TYPE PARAMETERS_NAME
    PHOT_APERTURES PHOT_AUTOPARAMS SATUR_KEY SATUR_LEVEL THRESH_TYPE WEIGHT_GAIN WEIGHT_IMAGE
    WEIGHT_TYPE
    """, .supported)

  private static let harmlessKeywords = keywords(
    """
    ASSOCCOORD_TYPE ASSOCSELEC_TYPE ASSOC_DATA ASSOC_NAME ASSOC_PARAMS ASSOC_RADIUS ASSOC_TYPE
    BACKPHOTO_THICK BACK_VALUE CHECKIMAGE_NAME DGEO_IMAGE FILTER_THRESH FLAG_IMAGE FLAG_TYPE
    MAG_GAMMA MAG_ZEROPOINT MEMORY_BUFSIZE MEMORY_OBJSTACK MEMORY_PIXSTACK NTHREADS
    PATTERN_TYPE PHOT_FLUXFRAC PHOT_PETROPARAMS PIXEL_SCALE PSF_NAME PSF_NMAX SEEING_FWHM SOM_NAME
    STARNNW_NAME VERBOSE_TYPE XML_NAME XSL_URL
    """, .harmless)

  private static let outputFileKeywords: [String: SExtractorKeyword] = [
    "CATALOG_NAME": .outputFile(usual: ["test.cat"]),
    "CATALOG_TYPE": .outputFile(
      usual: ["ASCII_HEAD"],
      names: [
        "NONE", "ASCII", "ASCII_HEAD", "ASCII_SKYCAT", "ASCII_VOTABLE", "FITS_LDAC", "FITS_1.0",
      ], supported: ["NONE", "FITS_1.0"]),
    "CHECKIMAGE_TYPE": .outputFile(usual: ["NONE"]),
    "WRITE_XML": .outputFile(usual: ["N"]),
  ]

  /// The defaults are those of `source-extractor -dd`, version 2.25. BACK_PEARSON came later.
  private static let unsupportedKeywords: [String: SExtractorKeyword] = [
    "BACK_FILTERSIZE": .unsupported(usual: ["3"]),
    "BACK_FILTTHRESH": .unsupported(usual: ["0"]),
    "BACK_PEARSON": .unsupported(usual: ["2.5"]),
    "BACK_TYPE": .unsupported(usual: ["AUTO"], names: ["AUTO", "MANUAL"]),
    "BACKPHOTO_TYPE": .unsupported(usual: ["GLOBAL"], names: ["GLOBAL", "LOCAL"]),
    "DETECT_MAXAREA": .unsupported(usual: ["0"]),
    "DETECT_TYPE": .unsupported(usual: ["CCD"], names: ["CCD", "PHOTO"]),
    "DGEO_TYPE": .unsupported(usual: ["NONE"], names: ["NONE", "PIXEL"]),
    "FITS_UNSIGNED": .unsupported(usual: ["N"]),
    "INTERP_MAXXLAG": .unsupported(usual: ["16"]),
    "INTERP_MAXYLAG": .unsupported(usual: ["16"]),
    "MASK_TYPE": .unsupported(usual: ["CORRECT"], names: ["NONE", "BLANK", "CORRECT"]),
    "PHOT_AUTOAPERS": .unsupported(usual: ["0"]),
    "RESCALE_WEIGHTS": .unsupported(usual: ["Y"]),
    "WEIGHT_THRESH": .unsupported(usual: []),
  ]

  private static func keywords(
    _ names: String, _ keyword: SExtractorKeyword
  ) -> [String: SExtractorKeyword] {
    let names = names.split(whereSeparator: \.isWhitespace).map(String.init)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, keyword) })
  }
}
