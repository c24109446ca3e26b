import SkyDetection
import SkyFITS

/// A point of a source, whose place in the sky is a matter of columns.
enum SourcePoint: UInt32, CaseIterable, Sendable {
  case barycentre, peak, window

  /// What columns of the point need.
  var needs: Column.Needs { self == .window ? .window : [] }

  /// The point in the image; `nil` if it was not measured.
  func pixel(of source: Source) -> PixelPosition? {
    switch self {
    case .barycentre: PixelPosition(x: source.x, y: source.y)
    case .peak:
      PixelPosition(x: Double(source.isophotal.xPeak), y: Double(source.isophotal.yPeak))
    case .window: source.window.map { PixelPosition(x: $0.x, y: $0.y) }
    }
  }
}

/// Where a point of each source is: in the sky, and in the image's world coordinates.
struct PointPlaces: Sendable {
  /// The sky positions (J2000), with `nil` for one outside of the sky; `nil` if they are not known.
  var sky: [SkyPosition?]?
  /// The world coordinates; `nil` if they are not known.
  var world: WorldPlaces?
}
