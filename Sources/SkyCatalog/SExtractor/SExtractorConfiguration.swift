public import SkyDetection

/// The settings of a SExtractor configuration file that have a counterpart here (the SExtractor
/// manual, "Configuration file"). A setting that the file does not contain has SExtractor's default,
/// as `source-extractor -dd` prints it.
///
/// A setting without a counterpart that would make another catalogue is an error. One that only
/// asks for a file is ignored; see ``notice(file:)``.
public struct SExtractorConfiguration: Hashable, Sendable {
  /// DETECT_MINAREA, in pixels.
  public var minimumArea = 5
  /// DETECT_THRESH and ANALYSIS_THRESH, in units of the noise.
  public var threshold = 1.5
  public var analysisThreshold = 1.5
  /// DEBLEND_NTHRESH.
  public var deblendLevels = 32
  /// DEBLEND_MINCONT.
  public var deblendContrast = 0.005
  /// CLEAN: whether sources are dropped that may be the wings of a brighter neighbour.
  public var cleans = true
  /// CLEAN_PARAM.
  public var cleanParameter = 1.0
  /// FILTER: whether the image is smoothed for detection.
  public var filters = true
  /// FILTER_NAME: the path of a kernel, as the file spells it; `nil` if the file does not name one.
  public var kernelPath: String?
  /// BACK_SIZE, in pixels.
  public var meshSide = 64
  /// WEIGHT_IMAGE: the path of a weight map, as the file spells it; `nil` unless WEIGHT_TYPE is
  /// MAP_WEIGHT.
  public var weightPath: String?
  /// WEIGHT_GAIN: whether weights change the gain too.
  public var scalesGain = true
  /// INTERP_TYPE: whether pixels of weight 0 get the values of pixels nearby (ALL) or not (NONE).
  public var interpolates = true
  /// PHOT_APERTURES, the diameters in pixels.
  public var apertures = [5.0]
  /// PHOT_AUTOPARAMS: the Kron factor and the smallest radius.
  public var kron = DetectionSettings.Kron()
  /// SATUR_LEVEL, in counts.
  public var saturation = 50_000.0
  /// SATUR_KEY: the keyword of the image's header whose value replaces SATUR_LEVEL.
  public var saturationKey = "SATURATE"
  /// GAIN, in photons per count; 0 for infinitely many.
  public var gain = 0.0
  /// GAIN_KEY: the keyword of the image's header whose value replaces GAIN.
  public var gainKey = "GAIN"
  /// PARAMETERS_NAME: the path of a list of columns, as the file spells it; `nil` if the file does not
  /// name one.
  public var columnsPath: String?
  /// ASSOCSELEC_TYPE: whether SExtractor leaves out sources by their association, if there is one.
  package var selectsByAssociation = true
  /// HEADER_SUFFIX: the ending of the file beside the image whose cards replace those of the image's
  /// header, as the file spells it.
  public var headerSuffix = ".head"
  /// The settings without a counterpart that ask for a file and do not change a catalogue, in the
  /// text's order.
  package var ignored: [SExtractorSetting] = []

  /// SExtractor's defaults.
  public init() {}

  /// A message about the settings that were ignored; `nil` if none was.
  public func notice(file: String) -> String? {
    guard !ignored.isEmpty else { return nil }
    let (names, verb) = SExtractorSetting.listed(ignored, "is", "are")
    return "\(file): \(names) \(verb) not used here; "
      + "--catalog and --picture choose the output files"
  }
}
