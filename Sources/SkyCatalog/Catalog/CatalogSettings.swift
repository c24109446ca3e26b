/// Settings that a catalogue's numbers depend on, and no system's findings.
public struct CatalogSettings: Codable, Hashable, Sendable {
  /// The magnitude of a flux of 1 (MAG_ZEROPOINT).
  public var zeroPoint: Double
  /// The side of a pixel, in arcseconds; 0 for that of the image's sky positions (PIXEL_SCALE).
  public var pixelScale: Double
  /// The width of a star's image at half of its height, in arcseconds (SEEING_FWHM).
  public var seeing: Double
  /// The file of the network that tells stars from galaxies (STARNNW_NAME).
  public var networkPath: String?

  /// Without arguments: no zero point, and pixels as large as the image's header says.
  public init(
    zeroPoint: Double = 0, pixelScale: Double = 0, seeing: Double = 1.2,
    networkPath: String? = nil
  ) {
    (self.zeroPoint, self.pixelScale) = (zeroPoint, pixelScale)
    (self.seeing, self.networkPath) = (seeing, networkPath)
  }
}
