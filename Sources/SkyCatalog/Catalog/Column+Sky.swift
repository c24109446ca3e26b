import SkyDetection
import SkyFITS

/// Places in the sky and in the image's world coordinates: of the barycentre, of the peak and of the
/// window's centre.
extension Column {
  public static let rightAscension = rightAscension(of: .barycentre, .j2000)
  public static let declination = declination(of: .barycentre, .j2000)

  /// The columns of places, except those of ``rightAscension`` and ``declination``.
  static let places: [Column] = SourcePoint.allCases.flatMap { point in
    [worldX(of: point), worldY(of: point)]
      + SkyFrame.allCases.filter { point != .barycentre || $0 != .j2000 }.flatMap {
        [rightAscension(of: point, $0), declination(of: point, $0)]
      }
  }

  private static func worldX(of point: SourcePoint) -> Column {
    Column(
      "X\(point.name)_WORLD", "\(point.noun) along the world's x", unit: "deg",
      needs: .places(point), printed: .moment, .float64 { $0.place(of: point)?.x })
  }

  private static func worldY(of point: SourcePoint) -> Column {
    Column(
      "Y\(point.name)_WORLD", "\(point.noun) along the world's y", unit: "deg",
      needs: .places(point), printed: .moment, .float64 { $0.place(of: point)?.y })
  }

  private static func rightAscension(of point: SourcePoint, _ frame: SkyFrame) -> Column {
    Column(
      "ALPHA\(point.name)_\(frame.rawValue)",
      "right ascension of the \(point.noun) (\(frame.noun))", unit: "deg",
      needs: frame.needs(point), printed: .fixed(width: 11, places: 7),
      .float64(places: 7) { $0.position(of: point, frame)?.rightAscension })
  }

  private static func declination(of point: SourcePoint, _ frame: SkyFrame) -> Column {
    Column(
      "DELTA\(point.name)_\(frame.rawValue)",
      "declination of the \(point.noun) (\(frame.noun))", unit: "deg",
      needs: frame.needs(point), printed: .fixed(width: 11, places: 7, signed: true),
      .float64(places: 7) { $0.position(of: point, frame)?.declination })
  }

  /// Whether the column tells a place in the sky.
  var isPlace: Bool {
    !needs.contains(.jacobians)
      && SourcePoint.allCases.contains {
        needs.contains(.positions($0)) || needs.contains(.places($0))
      }
  }
}

/// A frame of the sky. The raw value ends the names of its columns.
enum SkyFrame: String, CaseIterable, Sendable {
  /// The frame and the equinox of the image.
  case native = "SKY"
  case j2000 = "J2000"
  case b1950 = "B1950"

  var noun: String { self == .native ? "native" : rawValue }

  func needs(_ point: SourcePoint) -> Column.Needs {
    self == .j2000 ? .positions(point) : .places(point)
  }
}

extension SourcePoint {
  /// What stands in the names of the point's columns.
  fileprivate var name: String {
    switch self {
    case .barycentre: ""
    case .peak: "PEAK"
    case .window: "WIN"
    }
  }

  fileprivate var noun: String {
    switch self {
    case .barycentre: "barycentre"
    case .peak: "peak"
    case .window: "windowed centre"
    }
  }
}

extension CatalogRow {
  /// A point's place in the image's world coordinates; `nil` if it has none, or is outside of the sky.
  func place(of point: SourcePoint) -> WorldPosition? {
    context.places[point]?.world?.positions[number - 1]
  }

  /// A point's position in the sky; `nil` if it has none.
  func position(of point: SourcePoint, _ frame: SkyFrame) -> SkyPosition? {
    let places = context.places[point]
    if frame == .j2000, let positions = places?.sky { return positions[number - 1] }
    guard let world = places?.world, let place = world.positions[number - 1] else { return nil }
    return switch frame {
    case .native: world.system.sky(place)
    case .j2000: world.system.j2000(place)
    case .b1950: world.system.b1950(place)
    }
  }

  /// How the world coordinates change from pixel to pixel at the barycentre; `nil` if that is not known.
  var jacobian: Jacobian? {
    context.jacobians.indices.contains(number - 1) ? context.jacobians[number - 1] : nil
  }
}
