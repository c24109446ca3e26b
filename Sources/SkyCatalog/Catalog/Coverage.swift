/// How many sectors of an image a catalogue covers.
public struct Coverage: Hashable, Sendable {
  /// The number of sectors that were scanned.
  public let scanned: Int
  /// The number of sectors of the image.
  public let total: Int

  public init(scanned: Int, of total: Int) {
    self.scanned = scanned
    self.total = total
  }

  public var isWhole: Bool { scanned == total }
}

extension Coverage {
  /// The keywords that mark a table as partial, in a FITS table's header and in ECSV's `meta`.
  enum Mark {
    static let partial = "PARTIAL"
    static let scanned = "SCANNED"
    static let total = "SECTORS"
  }
}
