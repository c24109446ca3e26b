import SkyDetection

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
  /// That network; `nil` if it was not read.
  package var network: StarNetwork?

  /// Without arguments: no zero point, and pixels as large as the image's header says.
  public init(
    zeroPoint: Double = 0, pixelScale: Double = 0, seeing: Double = 1.2,
    networkPath: String? = nil
  ) {
    (self.zeroPoint, self.pixelScale) = (zeroPoint, pixelScale)
    (self.seeing, self.networkPath) = (seeing, networkPath)
  }

  /// Checks that columns have the settings that they need.
  ///
  /// - Throws: `InvalidScan` if one has not.
  package func check(_ columns: [Column]) throws {
    guard network == nil, let column = columns.first(where: \.needsNetwork) else {
      return
    }
    throw InvalidScan(
      "\(column.rawValue) needs a network, and there is none: name its file with STARNNW_NAME in a "
        + "configuration, or leave the column out")
  }
}
