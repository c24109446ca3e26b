public import SkyDetection

/// The settings of a SExtractor configuration file that have a counterpart here (the SExtractor
/// manual, "Configuration file"). A setting that the file does not contain is `nil`.
///
/// A setting without a counterpart that would make another catalogue is an error. One that only
/// asks for a file is ignored; see ``notice(file:)``.
public struct SExtractorConfiguration: Hashable, Sendable {
  /// DETECT_MINAREA, in pixels.
  public var minimumArea: Int?
  /// DETECT_THRESH, in units of the noise.
  public var threshold: Double?
  /// DEBLEND_NTHRESH.
  public var deblendLevels: Int?
  /// DEBLEND_MINCONT.
  public var deblendContrast: Double?
  /// CLEAN: whether sources are dropped that may be the wings of a brighter neighbour.
  public var cleans: Bool?
  /// CLEAN_PARAM.
  public var cleanParameter: Double?
  /// FILTER: whether the image is smoothed for detection.
  public var filters: Bool?
  /// FILTER_NAME: the path of a kernel, as the file spells it; `nil` if FILTER is N.
  public var kernelPath: String?
  /// BACK_SIZE, in pixels.
  public var meshSide: Int?
  /// WEIGHT_IMAGE: the path of a weight map, as the file spells it; `nil` unless WEIGHT_TYPE is
  /// MAP_WEIGHT.
  public var weightPath: String?
  /// PHOT_APERTURES, the diameters in pixels.
  public var apertures: [Double]?
  /// PHOT_AUTOPARAMS: the Kron factor and the smallest radius.
  public var kron: DetectionSettings.Kron?
  /// SATUR_LEVEL, in counts.
  public var saturation: Double?
  /// SATUR_KEY: the keyword of the image's header whose value replaces SATUR_LEVEL.
  public var saturationKey: String?
  /// GAIN, in photons per count; 0 for infinitely many.
  public var gain: Double?
  /// GAIN_KEY: the keyword of the image's header whose value replaces GAIN.
  public var gainKey: String?
  /// PARAMETERS_NAME: the path of a list of columns, as the file spells it.
  public var columnsPath: String?
  /// The settings without a counterpart that ask for a file and do not change a catalogue, in the
  /// text's order.
  package var ignored: [SExtractorSetting] = []

  /// A configuration without settings.
  public init() {}

  /// A message about the settings that were ignored; `nil` if none was.
  public func notice(file: String) -> String? {
    guard !ignored.isEmpty else { return nil }
    let (names, verb) = SExtractorSetting.listed(ignored, "is", "are")
    return "\(file): \(names) \(verb) not used here; "
      + "--catalog and --picture choose the output files"
  }
}
