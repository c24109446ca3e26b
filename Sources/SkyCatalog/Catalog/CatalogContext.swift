public import SkyDetection
public import SkyFITS

/// What a catalogue's columns are computed from, beside its sources.
public struct CatalogContext: Sendable {
  /// The settings with which the sources were measured.
  public var detection: DetectionSettings
  public var catalog: CatalogSettings
  /// The image's background; `nil` if it is not known.
  public var background: Background?
  /// Whether the image has sky positions.
  package var isInSky: Bool
  /// Where the sources' points are, as far as columns need it.
  var places: [SourcePoint: PointPlaces] = [:]
  /// The side of a pixel in arcseconds, for headers: that of the settings or, where they have none and columns need
  /// the sky, that at the image's centre; 0 if it is not known.
  package private(set) var pixelScale: Double
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

  /// - Parameters:
  ///   - detection: the settings that the sources were found with.
  ///   - catalog: the settings of the catalogue.
  ///   - background: the image's background; `nil` if it is not known.
  ///   - positions: the sky position of each source's barycentre, with `nil` for one outside of the sky; or `nil` if
  ///     the image has no sky positions.
  public init(
    _ detection: DetectionSettings, _ catalog: CatalogSettings = CatalogSettings(),
    background: Background? = nil, positions: [SkyPosition?]? = nil
  ) {
    (self.detection, self.catalog) = (detection, catalog)
    (self.background, isInSky) = (background, positions != nil)
    pixelScale = catalog.pixelScale
    if let positions { places[.barycentre] = PointPlaces(sky: positions) }
  }
}

extension CatalogContext {
  /// Asks the image's reader for the places that columns need. For each point, it asks at most once for sky positions,
  /// and at most once for world coordinates.
  ///
  /// - Parameters:
  ///   - sources: the catalogue's rows.
  ///   - columns: the catalogue's columns.
  /// - Throws: `FITSError` if the header's coordinates cannot be read.
  package mutating func findPlaces(
    of sources: [Source], in image: FITSImage, for columns: [Column]
  ) async throws {
    let needs = columns.reduce(into: Column.Needs()) { $0.formUnion($1.needs(catalog)) }
    guard needs.contains(.sky) else { return }
    let points = SourcePoint.allCases.filter { needs.contains(.positions($0)) }
    do {
      for point in points {
        let pixels = sources.map(point.pixel)
        let found = try await image.sky(pixels.compactMap(\.self))
        places[point, default: PointPlaces()].sky = spread(found, over: pixels)
      }
    } catch is NoSkyPositions {}
    isInSky = places.isEmpty ? try await image.skyFault == nil : true
    do {
      try await findWorld(of: sources, in: image, needs)
      try await findScale(of: image)
    } catch is NoSkyPositions {}
  }

  /// Where the header tells no J2000 positions, they will be computed from the world coordinates.
  private mutating func findWorld(
    of sources: [Source], in image: FITSImage, _ needs: Column.Needs
  ) async throws {
    for point in SourcePoint.allCases {
      let lacksSky = needs.contains(.positions(point)) && places[point]?.sky == nil
      guard lacksSky || needs.contains(.places(point)) else { continue }
      let pixels = sources.map(point.pixel)
      let known = pixels.compactMap(\.self)
      var found: WorldPlaces
      if point == .barycentre, needs.contains(.jacobians) {
        (found, jacobians) = try await image.jacobians(known)
      } else {
        found = try await image.world(known)
      }
      found.positions = spread(found.positions, over: pixels)
      places[point, default: PointPlaces()].world = found
    }
  }

  private mutating func findScale(of image: FITSImage) async throws {
    guard catalog.pixelScale == 0 else { return }
    let centre = PixelPosition(x: Double(image.width + 1) / 2, y: Double(image.height + 1) / 2)
    let (world, jacobians) = try await image.jacobians([centre])
    guard world.system.isInSky, let area = jacobians[0]?.area else { return }
    pixelScale = area.squareRoot() * 3600
  }

  /// Values of the pixels that there are, each in its pixel's row.
  private func spread<Value>(_ values: [Value?], over pixels: [PixelPosition?]) -> [Value?] {
    var rest = values.makeIterator()
    return pixels.map { pixel in pixel.flatMap { _ in rest.next() ?? nil } }
  }
}
