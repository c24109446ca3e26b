import SkyDetection

/// Positions in the image.
extension Column {
  public static let number = Column(
    "NUMBER", "running number", printed: .integer(width: 10), .int32 { $0.number })

  public static let x = Column(
    "X_IMAGE", "barycentre along x, 1 at the centre of the first pixel", unit: "pixel",
    printed: .fixed(width: 11, places: 4), as: .float32,
    .float64(places: 4) { $0.source.x })
  public static let y = Column(
    "Y_IMAGE", "barycentre along y", unit: "pixel", printed: .fixed(width: 11, places: 4),
    as: .float32, .float64(places: 4) { $0.source.y })
  public static let xPeak = Column(
    "XPEAK_IMAGE", "column of the highest pixel when smoothed", unit: "pixel",
    printed: .integer(width: 10),
    .int32 { Int($0.source.isophotal.xPeak) })
  public static let yPeak = Column(
    "YPEAK_IMAGE", "row of the highest pixel when smoothed", unit: "pixel",
    printed: .integer(width: 10),
    .int32 { Int($0.source.isophotal.yPeak) })
}
