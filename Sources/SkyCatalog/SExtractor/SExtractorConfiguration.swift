public import SkyDetection

/// What SExtractor's configuration file says of what a scan here can do (the SExtractor manual,
/// "Configuration file"). What it does not say is none.
///
/// A setting without a counterpart here that would make another catalogue is an error; see
/// ``ignored``.
public struct SExtractorConfiguration: Hashable, Sendable {
  /// DETECT_MINAREA, in pixels.
  public var minimumArea: Int?
  /// DETECT_THRESH, in units of the noise.
  public var threshold: Double?
  /// DEBLEND_NTHRESH.
  public var deblendLevels: Int?
  /// DEBLEND_MINCONT.
  public var deblendContrast: Double?
  /// CLEAN: whether what may be the wings of a brighter neighbour is dropped.
  public var cleans: Bool?
  /// CLEAN_PARAM.
  public var cleanParameter: Double?
  /// FILTER: whether the image is smoothed to find sources in it.
  public var filters: Bool?
  /// FILTER_NAME, the path of a kernel, as it is written; none, if FILTER is N.
  public var kernelPath: String?
  /// BACK_SIZE, in pixels.
  public var meshSide: Int?
  /// WEIGHT_IMAGE, the path of a map of weights, as it is written; none, unless WEIGHT_TYPE is
  /// MAP_WEIGHT.
  public var weightPath: String?
  /// PHOT_APERTURES, the diameters in pixels.
  public var apertures: [Double]?
  /// PHOT_AUTOPARAMS: the Kron factor and the least radius.
  public var kron: KronSettings?
  /// SATUR_LEVEL, in counts.
  public var saturation: Double?
  /// SATUR_KEY: the keyword of the image's header that goes before it.
  public var saturationKey: String?
  /// GAIN, in photons a count; 0 for endlessly many.
  public var gain: Double?
  /// GAIN_KEY: the keyword of the image's header that goes before it.
  public var gainKey: String?
  /// PARAMETERS_NAME, the path of a list of columns, as it is written.
  public var columnsPath: String?
  /// What has no counterpart and does not matter for a catalogue, but asks for a file, in the text's order.
  package var ignored: [SExtractorSetting] = []

  /// One that says nothing.
  public init() {}

  /// What to tell of what was ignored; `nil`, if nothing was.
  public func notice(file: String) -> String? {
    guard !ignored.isEmpty else { return nil }
    let (names, verb) = SExtractorSetting.listed(ignored, "is", "are")
    return "\(file): \(names) \(verb) not used here: what is written, --catalog and --picture say"
  }
}
