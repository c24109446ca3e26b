import SkyDetection

/// Ellipses: of the isophotal profile, of the window's, and of the errors of both centres.
extension Column {
  /// The ellipses' forms that have no columns of their own.
  static let ellipses: [Column] =
    moments(.isophotal) + coefficients(.isophotal) + all(.barycentre) + axes(.window)
    + moments(.window) + coefficients(.window) + all(.windowCentre)

  /// Something that has an ellipse.
  struct EllipseKind: Sendable {
    /// What stands before and behind the name of a form: `ERRX2WIN_IMAGE`.
    let prefix: String
    let infix: String
    let noun: String
    let needs: Needs
    let ellipse: @Sendable (CatalogRow) -> Source.Ellipse?

    func name(_ form: String, _ system: String = "IMAGE") -> String {
      "\(prefix)\(form)\(infix)_\(system)"
    }

    var isError: Bool { !prefix.isEmpty }

    static let isophotal = EllipseKind(
      prefix: "", infix: "", noun: "profile", needs: []
    ) { $0.ellipse }
    static let barycentre = EllipseKind(
      prefix: "ERR", infix: "", noun: "barycentre's error", needs: .positionErrors
    ) { $0.source.positionErrors.map { Source.Ellipse($0) } }
    static let window = EllipseKind(
      prefix: "", infix: "WIN", noun: "windowed profile", needs: .window
    ) { $0.source.window.map { Source.Ellipse(xx: $0.xx, yy: $0.yy, xy: $0.xy) } }
    static let windowCentre = EllipseKind(
      prefix: "ERR", infix: "WIN", noun: "windowed centre's error", needs: .window
    ) { $0.source.window.map { Source.Ellipse($0.errors) } }

    static let all = [isophotal, barycentre, window, windowCentre]
  }

  private static func all(_ kind: EllipseKind) -> [Column] {
    moments(kind) + axes(kind) + coefficients(kind)
  }

  /// The columns of the second moments.
  static func moments(_ kind: EllipseKind) -> [Column] {
    func column(
      _ form: String, _ text: String, _ moment: @escaping @Sendable (Source.Ellipse) -> Double
    ) -> Column {
      Column(
        kind.name(form), "\(text) of the \(kind.noun)", unit: "pixel**2", needs: kind.needs,
        printed: .moment, .float64 { kind.ellipse($0).map(moment) })
    }
    return [
      column("X2", "variance along x", \.xx), column("Y2", "variance along y", \.yy),
      column("XY", "covariance of x and y", \.xy),
    ]
  }

  /// The columns of the axes and the angle.
  static func axes(_ kind: EllipseKind) -> [Column] {
    let places = kind.isError ? 5 : 3
    func axis(
      _ form: String, _ text: String, _ axis: @escaping @Sendable (Source.Ellipse) -> Double
    ) -> Column {
      Column(
        kind.name(form), "r.m.s. of the \(kind.noun), \(text) axis", unit: "pixel",
        needs: kind.needs, printed: .fixed(width: 9, places: places),
        .float32 { kind.ellipse($0).map(axis) })
    }
    return [
      axis("A", "major") { $0.semiMajorAxis }, axis("B", "minor") { $0.semiMinorAxis },
      Column(
        kind.name("THETA"), "angle of that axis, from x towards y", unit: "deg",
        needs: kind.needs, printed: .fixed(width: 6, places: 2),
        .float32(places: 4) { kind.ellipse($0)?.printedAngle }),
    ]
  }

  /// The columns of the coefficients.
  static func coefficients(_ kind: EllipseKind) -> [Column] {
    func column(
      _ form: String, _ coefficient: @escaping @Sendable (Source.Ellipse) -> Double?
    ) -> Column {
      Column(
        kind.name(form), "coefficient of the ellipse of the \(kind.noun)",
        unit: "pixel**(-2)", needs: kind.needs, printed: kind.isError ? .flux : .coefficient,
        .float32 { kind.ellipse($0).flatMap(coefficient) })
    }
    return [
      column("CXX") { $0.coefficients?.xx }, column("CYY") { $0.coefficients?.yy },
      column("CXY") { $0.coefficients?.xy },
    ]
  }
}

extension Source.Ellipse {
  /// The angle. As in SExtractor, it is 45° where the moments along x and y are the same.
  fileprivate var printedAngle: Double { xx == yy ? 45 : angle }
}
