import SkyDetection

/// Shapes and bounds of the isophotal profile.
extension Column {
  public static let isophotalArea = Column(
    "ISOAREA_IMAGE", "number of pixels over the threshold", unit: "pixel**2",
    printed: .integer(width: 9),
    .int32 { Int($0.source.isophotal.isophotalArea) })
  public static let area = Column(
    "ISOAREAF_IMAGE", "number of pixels over the threshold when smoothed", unit: "pixel**2",
    printed: .integer(width: 9),
    .int32 { Int($0.source.isophotal.area) })
  public static let semiMajorAxis = Column(
    "A_IMAGE", "r.m.s. of the profile along the major axis", unit: "pixel",
    printed: .fixed(width: 9, places: 3), as: .float32,
    .float64(places: 4) { $0.ellipse.semiMajorAxis })
  public static let semiMinorAxis = Column(
    "B_IMAGE", "r.m.s. of the profile along the minor axis", unit: "pixel",
    printed: .fixed(width: 9, places: 3), as: .float32,
    .float64(places: 4) { $0.ellipse.semiMinorAxis })
  public static let angle = Column(
    "THETA_IMAGE", "position angle of the major axis, from x towards y", unit: "deg",
    printed: .fixed(width: 6, places: 2), as: .float32,
    .float64(places: 4) { $0.ellipse.angle })
  public static let ellipticity = Column(
    "ELLIPTICITY", "1 - B/A", printed: .fixed(width: 8, places: 3), as: .float32,
    .float64(places: 4) { $0.ellipse.ellipticity })
  public static let elongation = Column(
    "ELONGATION", "A/B", printed: .fixed(width: 8, places: 3),
    .float32(places: 3) { row in
      row.ellipse.semiMinorAxis > 0 ? row.ellipse.semiMajorAxis / row.ellipse.semiMinorAxis : nil
    })

  public static let xMin = Column(
    "XMIN_IMAGE", "first column of the pixels over the threshold", unit: "pixel",
    printed: .integer(width: 10),
    .int32 { Int($0.source.xMin) })
  public static let yMin = Column(
    "YMIN_IMAGE", "first row of the pixels over the threshold", unit: "pixel",
    printed: .integer(width: 10),
    .int32 { Int($0.source.yMin) })
  public static let xMax = Column(
    "XMAX_IMAGE", "last column of the pixels over the threshold", unit: "pixel",
    printed: .integer(width: 10),
    .int32 { Int($0.source.xMax) })
  public static let yMax = Column(
    "YMAX_IMAGE", "last row of the pixels over the threshold", unit: "pixel",
    printed: .integer(width: 10),
    .int32 { Int($0.source.yMax) })

  public static let flags = Column(
    "FLAGS", "1 crowded 2 parted 4 saturated 8 edge 16 cut 64 not parted",
    printed: .integer(width: 3),
    .int16 { Int($0.source.flags.rawValue) })
}
