/// What SExtractor's configuration file says of what SkyScan can do (the SExtractor manual,
/// "Configuration file"). What it does not say is none.
///
/// What SkyScan cannot do is put aside for a warning: see ``leftOut`` and ``harmless``.
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
  /// GAIN, in photons a count; 0 for endlessly many.
  public var gain: Double?
  /// PARAMETERS_NAME, the path of a list of columns, as it is written.
  public var columnsPath: String?
  /// What has no counterpart, or not with that value, and makes another catalogue than SExtractor's;
  /// in the file's order. What has SExtractor's default value is not in it.
  public var leftOut: [SExtractorSetting] = []
  /// What has no counterpart and does not matter for a catalogue, in the file's order.
  public var harmless: [SExtractorSetting] = []

  /// One that says nothing.
  public init() {}

  /// What to tell of that which was left out; none, if nothing was.
  public func warning(file: String) -> String? {
    guard let last = leftOut.last else { return nil }
    guard leftOut.count > 1 else {
      return "\(file): \(last) has no counterpart here and is left out, so the catalogue differs "
        + "from SExtractor's"
    }
    let others = leftOut.dropLast().map(\.description).joined(separator: ", ")
    return "\(file): \(others) and \(last) have no counterpart here and are left out, so the "
      + "catalogue differs from SExtractor's"
  }
}
