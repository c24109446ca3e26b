import SkyDetection
import SkyFITS

/// The ellipses along the axes of the image's world coordinates. As in SExtractor, all of them are turned
/// as the pixels lie at the barycentre, those of the window too, and the mixed moment counts once where
/// it should count twice; see `Jacobian.moments`.
extension Column {
  /// The ellipses' forms in the world's and the sky's directions.
  static let worldEllipses: [Column] = EllipseKind.all.flatMap {
    worldMoments($0) + worldAxes($0) + skyAngles($0) + worldCoefficients($0)
  }

  private static func worldMoments(_ kind: EllipseKind) -> [Column] {
    let noun = kind.noun
    return [
      world(kind, "X2", "variance along world x of the \(noun)", "deg**2", .moment, \.xx),
      world(kind, "Y2", "variance along world y of the \(noun)", "deg**2", .moment, \.yy),
      world(kind, "XY", "covariance of world x, y of the \(noun)", "deg**2", .moment, \.xy),
    ]
  }

  private static func worldAxes(_ kind: EllipseKind) -> [Column] {
    [
      world(kind, "A", "world r.m.s. of the \(kind.noun), major axis", "deg", .flux, \.major),
      world(kind, "B", "world r.m.s. of the \(kind.noun), minor axis", "deg", .flux, \.minor),
      Column(
        kind.name("THETA", "WORLD"), "angle of that axis, from world x towards world y",
        unit: "deg", needs: kind.worldNeeds, printed: .fixed(width: 6, places: 2),
        .float32(places: 4) { $0.moments(kind)?.angle }),
    ]
  }

  /// The columns of the angles from north to east.
  private static func skyAngles(_ kind: EllipseKind) -> [Column] {
    SkyFrame.allCases.map { frame in
      Column(
        kind.name("THETA", frame.rawValue),
        "angle of that axis, from north to east (\(frame.noun))", unit: "deg",
        needs: kind.worldNeeds, printed: .fixed(width: 6, places: 2, signed: !kind.isError),
        .float32(places: 4) { row in
          row.moments(kind).flatMap { row.angle($0, from: frame) }
        })
    }
  }

  private static func worldCoefficients(_ kind: EllipseKind) -> [Column] {
    let text = "world coefficient of the \(kind.noun)"
    let format = kind.isError ? PrintFormat.flux : .coefficient
    return [
      world(kind, "CXX", text, "deg**(-2)", format) { $0.conic.xx },
      world(kind, "CYY", text, "deg**(-2)", format) { $0.conic.yy },
      world(kind, "CXY", text, "deg**(-2)", format) { $0.conic.xy },
    ]
  }

  /// A column of a number that follows from the moments along the world's axes. As in SExtractor, the moments are
  /// doubles, and all others floats.
  private static func world(
    _ kind: EllipseKind, _ name: String, _ description: String, _ unit: String,
    _ format: PrintFormat, _ number: @escaping @Sendable (WorldMoments) -> Double
  ) -> Column {
    Column(
      kind.name(name, "WORLD"), description, unit: unit, needs: kind.worldNeeds, printed: format,
      format == .moment
        ? .float64 { $0.moments(kind).map(number) } : .float32 { $0.moments(kind).map(number) })
  }
}

extension Column.EllipseKind {
  fileprivate var worldNeeds: Column.Needs { needs.union(.jacobians) }
}

extension CatalogRow {
  /// The moments of an ellipse along the world's axes; `nil` if they are not known.
  fileprivate func moments(_ kind: Column.EllipseKind) -> WorldMoments? {
    guard let jacobian, let ellipse = kind.ellipse(self) else { return nil }
    return jacobian.moments(xx: ellipse.xx, yy: ellipse.yy, xy: ellipse.xy)
  }

  /// The angle of an ellipse's long axis from the north of a frame; `nil` outside of the sky.
  fileprivate func angle(_ moments: WorldMoments, from frame: SkyFrame) -> Double? {
    guard let world = context.places[.barycentre]?.world, world.system.isInSky,
      let place = world.positions[number - 1]
    else { return nil }
    let angle = world.system.skyAngle(moments.angle)
    return switch frame {
    case .native: angle
    case .j2000: world.system.j2000Angle(angle, at: place)
    case .b1950: world.system.b1950Angle(angle, at: place)
    }
  }
}
