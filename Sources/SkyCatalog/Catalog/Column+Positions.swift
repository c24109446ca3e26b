import SkyDetection
import SkyFITS

/// Positions.
extension Column {
  public static let number = Column(
    "NUMBER", "running number", printed: .integer(width: 10), .int32 { $0.number })

  public static let x = Column(
    "X_IMAGE", "barycentre along x, from 1 at the centre of the first pixel", unit: "pixel",
    printed: .fixed(width: 11, places: 4), as: .float32,
    .float64(places: 4) { $0.source.x })
  public static let y = Column(
    "Y_IMAGE", "barycentre along y", unit: "pixel", printed: .fixed(width: 11, places: 4),
    as: .float32, .float64(places: 4) { $0.source.y })
  public static let rightAscension = Column(
    "ALPHA_J2000", "right ascension of the barycentre (J2000)", unit: "deg", needs: .sky,
    printed: .fixed(width: 11, places: 7),
    .float64(places: 7) { $0.position?.rightAscension })
  public static let declination = Column(
    "DELTA_J2000", "declination of the barycentre (J2000)", unit: "deg", needs: .sky,
    printed: .fixed(width: 11, places: 7, signed: true),
    .float64(places: 7) { $0.position?.declination })
  public static let xPeak = Column(
    "XPEAK_IMAGE", "column of the highest pixel when smoothed", unit: "pixel",
    printed: .integer(width: 10),
    .int32 { Int($0.source.isophotal.xPeak) })
  public static let yPeak = Column(
    "YPEAK_IMAGE", "row of the highest pixel when smoothed", unit: "pixel",
    printed: .integer(width: 10),
    .int32 { Int($0.source.isophotal.yPeak) })
}
