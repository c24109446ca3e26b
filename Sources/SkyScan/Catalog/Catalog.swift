/// The sources of an image, as a table in CSV with SExtractor's column names.
///
/// The text depends on the sources alone, not on the order in which they were added: rows are
/// sorted by Y_IMAGE and then X_IMAGE, and numbered from 1. Positions and shapes have four
/// decimals; fluxes are written as the shortest text that reads back as the same 32-bit number.
public struct Catalog: Sendable {
  static let header =
    "NUMBER,X_IMAGE,Y_IMAGE,FLUX_ISO,FLUX_MAX,ISOAREA_IMAGE,A_IMAGE,B_IMAGE,THETA_IMAGE,"
    + "ELLIPTICITY,XMIN_IMAGE,YMIN_IMAGE,XMAX_IMAGE,YMAX_IMAGE"

  /// In the order in which they were added.
  public private(set) var sources: [Source] = []

  public init() {}

  public mutating func add(_ more: [Source]) {
    sources.append(contentsOf: more)
  }

  /// The whole table, header line first, each line ended by a line feed.
  public var csv: String {
    var text = Self.header + "\n"
    text.reserveCapacity(96 * (sources.count + 2))
    for (index, source) in sources.sorted(by: precedes).enumerated() {
      text += row(source, number: index + 1)
    }
    return text
  }

  private func row(_ source: Source, number: Int) -> String {
    let ellipse = source.ellipse
    let cells = [
      String(number),
      decimal(source.x), decimal(source.y),
      Float(source.flux).description, source.peak.description, String(source.area),
      decimal(ellipse.semiMajorAxis), decimal(ellipse.semiMinorAxis), decimal(ellipse.angle),
      decimal(ellipse.ellipticity),
      String(source.xMin), String(source.yMin), String(source.xMax), String(source.yMax),
    ]
    return cells.joined(separator: ",") + "\n"
  }
}

/// By row, then by column; what else tells two sources apart decides ties, so that any order they
/// came in ends as one.
private func precedes(_ one: Source, _ other: Source) -> Bool {
  (one.y, one.x, one.flux, one.xx, one.yy, one.xy)
    != (other.y, other.x, other.flux, other.xx, other.yy, other.xy)
    ? (one.y, one.x, one.flux, one.xx, one.yy, one.xy)
      < (other.y, other.x, other.flux, other.xx, other.yy, other.xy)
    : (one.area, one.xMin, one.yMin, one.xMax, one.yMax, one.peak)
      < (other.area, other.xMin, other.yMin, other.xMax, other.yMax, other.peak)
}
