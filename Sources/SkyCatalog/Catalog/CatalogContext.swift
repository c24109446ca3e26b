public import SkyDetection
public import SkyFITS

/// What a catalogue's columns are computed from, beside its sources.
public struct CatalogContext: Sendable {
  /// The settings with which the sources were measured.
  public var detection: DetectionSettings
  public var catalog: CatalogSettings
  /// The image's background; `nil` if it is not known.
  public var background: Background?
  /// The sky position of each source, with `nil` for a source outside of the sky; or `nil` if the
  /// image has no sky positions.
  public var positions: [SkyPosition?]?
  /// How pixels lie in the sky near each source; `nil` where that is not known. Empty if no column
  /// needs it.
  package var jacobians: [Jacobian?] = []
  /// The numbers of components, by their first pixels. Empty if no column has them.
  package var componentNumbers: [PixelPlace: Int] = [:]
  /// The pixels of the sources' stamps, source by source; NaN for one outside of the image, or of another source. Empty
  /// if no column has them.
  package var stampPixels: [Float] = []
  /// The number of the image in its file, from 1.
  public var extensionNumber = 1

  public init(
    _ detection: DetectionSettings, _ catalog: CatalogSettings = CatalogSettings(),
    background: Background? = nil, positions: [SkyPosition?]? = nil
  ) {
    (self.detection, self.catalog) = (detection, catalog)
    (self.background, self.positions) = (background, positions)
  }
}

extension Column {
  /// Whether the column needs to know how pixels lie in the sky near each source.
  package func needsJacobian(_ settings: CatalogSettings) -> Bool {
    needs.contains(.scale) && settings.pixelScale == 0
  }
}
