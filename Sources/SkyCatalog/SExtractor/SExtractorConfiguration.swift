public import SkyDetection

/// The settings of a SExtractor configuration (the SExtractor manual, "Configuration file"). One that is not given
/// has SExtractor's default, as `source-extractor -dd` prints it.
///
/// A setting without a counterpart that would make another catalogue is an error. One that only
/// asks for a file is ignored by `engage`; see ``notice(file:)``.
public struct SExtractorConfiguration: Hashable, Sendable {
  // MARK: The catalogue

  /// CATALOG_NAME: the path of the catalogue, as the file spells it.
  package var catalogPath = "test.cat"
  /// CATALOG_TYPE.
  package var catalogFormat = SExtractorFormat.asciiHead
  /// PARAMETERS_NAME: the path of a list of columns, as the file spells it; `nil` if the file does not
  /// name one.
  public var columnsPath: String?

  // MARK: Detection

  /// DETECT_MINAREA, in pixels.
  public var minimumArea = 5
  /// DETECT_MAXAREA, in pixels; 0 for any.
  package var maximumArea = 0
  /// THRESH_TYPE: whether a threshold is in counts, and not in units of the noise.
  package var isThresholdAbsolute = false
  package var isAnalysisThresholdAbsolute = false
  /// DETECT_THRESH and ANALYSIS_THRESH; in magnitudes per square arcsecond if there is a zero
  /// point.
  public var threshold = 1.5
  public var analysisThreshold = 1.5
  /// Their second numbers: the zero points of surface brightness.
  package var thresholdZeroPoint: Double?
  package var analysisZeroPoint: Double?
  /// FILTER: whether the image is smoothed for detection.
  public var filters = true
  /// FILTER_NAME: the path of a kernel, as the file spells it; `nil` if the file does not name one.
  public var kernelPath: String?
  /// DEBLEND_NTHRESH.
  public var deblendLevels = 32
  /// DEBLEND_MINCONT.
  public var deblendContrast = 0.005
  /// CLEAN: whether sources are dropped that may be the wings of a brighter neighbour.
  public var cleans = true
  /// CLEAN_PARAM.
  public var cleanParameter = 1.0
  /// MASK_TYPE: how fluxes treat neighbours' pixels.
  package var masking = DetectionSettings.Masking.correct

  // MARK: Weights

  /// WEIGHT_TYPE; `nil` for NONE.
  package var weightKind: DetectionSettings.Weighting.Kind?
  /// WEIGHT_IMAGE: the path of a weight map, as the file spells it; `nil` unless WEIGHT_TYPE is
  /// one of a map.
  public var weightPath: String?
  /// RESCALE_WEIGHTS: whether weights are scaled to the noise.
  package var rescalesWeights = true
  /// WEIGHT_GAIN: whether weights change the gain too.
  public var scalesGain = true
  /// WEIGHT_THRESH: the weight from which a pixel is bad; `nil` for SExtractor's default, which depends on the type.
  package var weightThreshold: Double?
  /// INTERP_TYPE: whether pixels of weight 0 get the values of pixels nearby (ALL) or not (NONE).
  public var interpolates = true
  /// Whether SExtractor interpolates for detection alone, as the weights are given twice. That does not exist here, and
  /// makes a difference where there are pixels of weight 0.
  package var interpolatesToDetect = false

  // MARK: Photometry

  /// PHOT_APERTURES, the diameters in pixels.
  public var apertures = [5.0]
  /// PHOT_AUTOPARAMS: the Kron factor and the smallest radius.
  public var kron = DetectionSettings.Kron()
  /// PHOT_PETROPARAMS: the Petrosian factor and the smallest radius.
  package var petrosian = [2.0, 3.5]
  /// PHOT_AUTOAPERS: the circles that stand for smaller ellipses of both.
  package var leastCircles = DetectionSettings.LeastCircles()
  /// PHOT_FLUXFRAC: the fractions of the flux that FLUX_RADIUS encloses.
  package var fluxFractions = [0.5]
  /// SATUR_LEVEL, in counts.
  public var saturation = 50_000.0
  /// SATUR_KEY: the keyword of the image's header whose value replaces SATUR_LEVEL.
  public var saturationKey = "SATURATE"
  /// MAG_ZEROPOINT.
  package var zeroPoint = 0.0
  /// GAIN, in photons per count; 0 for infinitely many.
  public var gain = 0.0
  /// GAIN_KEY: the keyword of the image's header whose value replaces GAIN.
  public var gainKey = "GAIN"
  /// PIXEL_SCALE, in arcseconds; 0 for that of the header.
  package var pixelScale = 1.0
  /// SEEING_FWHM, in arcseconds.
  package var seeing = 1.2
  /// STARNNW_NAME: the path of the network for CLASS_STAR, as the file spells it.
  package var networkPath = "default.nnw"

  // MARK: Background

  /// BACK_TYPE MANUAL: BACK_VALUE, in counts; `nil` for AUTO.
  package var manualBackground: Double?
  /// BACK_SIZE, in pixels: the meshes' width, and their height.
  public var meshWidth = 64
  package var meshHeight = 64
  /// BACK_FILTERSIZE, in meshes.
  package var filterWidth = 3
  package var filterHeight = 3
  /// BACK_FILTTHRESH, in counts.
  package var filterThreshold = 0.0
  /// BACKPHOTO_TYPE LOCAL: BACKPHOTO_THICK, in pixels; `nil` for GLOBAL.
  package var localThickness: Int?

  // MARK: Others

  /// Settings that headers of FITS catalogues tell, whether or not something depends on them.
  package struct Told: Hashable, Sendable {
    /// MAG_GAMMA.
    var gamma = 4.0
    /// BACKPHOTO_THICK, in pixels.
    var localThickness = 24
    /// MEMORY_OBJSTACK, MEMORY_PIXSTACK and MEMORY_BUFSIZE.
    var objectStack = 3000, pixelStack = 300_000, bufferRows = 1024
  }
  package var told = Told()

  /// CHECKIMAGE_TYPE and CHECKIMAGE_NAME: the check images that exist here.
  package var checkImages: [CheckImage] = []

  /// VERBOSE_TYPE QUIET: whether only what is wrong is printed.
  package var isQuiet = false
  /// ASSOCSELEC_TYPE: whether SExtractor leaves out sources by their association, if there is one.
  package var selectsByAssociation = true
  /// HEADER_SUFFIX: the ending of the file beside the image whose cards replace those of the image's
  /// header, as the file spells it.
  public var headerSuffix = ".head"
  /// The environment variables that the settings name.
  package var variables: Set<String> = []
  /// The settings without a counterpart that ask for a file and do not change a catalogue, in the
  /// text's order.
  package var ignored: [SExtractorSetting] = []
  /// What is odd about the settings, where that is no fault.
  package var warnings: [String] = []

  /// SExtractor's defaults.
  public init() {}

  /// The catalogue's path with the values of environment variables.
  package var expandedCatalogPath: String {
    get throws { try EnvironmentVariables.expand(catalogPath) }
  }

  /// The check images, in whose paths environment variables have their values.
  package var expandedCheckImages: [CheckImage] {
    get throws {
      try checkImages.map { CheckImage($0.kind, path: try EnvironmentVariables.expand($0.path)) }
    }
  }

  /// A message about the settings that were ignored; `nil` if none was.
  public func notice(file: String) -> String? {
    guard !ignored.isEmpty else { return nil }
    let (names, verb) = SExtractorSetting.listed(ignored, "is", "are")
    return "\(file): \(names) \(verb) not used here; "
      + "--catalog and --picture choose the output files"
  }
}
