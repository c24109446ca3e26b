/// How many sectors of an image a catalogue covers.
package struct Coverage: Hashable, Sendable {
  /// The number of sectors that were scanned.
  package let scanned: Int
  /// The number of sectors of the image.
  package let total: Int

  package init(scanned: Int, of total: Int) {
    self.scanned = scanned
    self.total = total
  }

  package var isWhole: Bool { scanned == total }
}

extension Coverage {
  /// The keywords that mark a table as partial, in a FITS table's header and in ECSV's `meta`.
  enum Mark {
    static let partial = "PARTIAL"
    static let scanned = "SCANNED"
    static let total = "SECTORS"
  }
}
