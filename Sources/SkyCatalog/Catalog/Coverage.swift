/// Of how much of an image a catalogue has the sources.
public struct Coverage: Hashable, Sendable {
  /// Sectors that were scanned to their end.
  public let scanned: Int
  /// Sectors of the image.
  public let total: Int

  public init(scanned: Int, of total: Int) {
    self.scanned = scanned
    self.total = total
  }

  public var isWhole: Bool { scanned == total }
}

extension Coverage {
  /// What tells a program that a table is partial, by the same names in each format that has such: a
  /// FITS table's header and ECSV's `meta`.
  enum Mark {
    static let partial = "PARTIAL"
    static let scanned = "SCANNED"
    static let total = "SECTORS"
  }
}
