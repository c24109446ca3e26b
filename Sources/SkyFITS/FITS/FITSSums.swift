import CCFITSIO

/// What the checksums of an image's unit say (DATASUM and CHECKSUM: FITS Standard 4.0, section
/// 4.4.2.7). For a tile-compressed image they are those of the table that holds the tiles.
public struct FITSSums: Hashable, Sendable {
  /// What one of them says.
  public enum Outcome: UInt8, Hashable, Sendable {
    /// The header does not have it.
    case absent
    case right
    case wrong
  }

  /// DATASUM, of the unit's data.
  public var data: Outcome
  /// CHECKSUM, of the unit with its header.
  public var unit: Outcome

  public init(data: Outcome, unit: Outcome) {
    self.data = data
    self.unit = unit
  }

  /// What is wrong, as the rest of a sentence that begins with the path; `nil` if nothing is.
  public var fault: String? {
    if data == .wrong {
      return "its DATASUM is wrong: these are not the pixels that were written; fetch it again, or "
        + "check it with fitsverify"
    }
    guard unit == .wrong else { return nil }
    return "its CHECKSUM is wrong: "
      + (data == .right
        ? "its header was changed after it was written" : "it was changed after it was written")
      + "; check it with fitsverify"
  }
}

extension FITSHandle {
  /// Compares the current unit's checksums with its bytes, of which all are read if there are any.
  ///
  /// - Throws: ``FITSError`` if the unit cannot be read.
  func checkSums() throws -> FITSSums {
    var status: CInt = 0
    let (data, unit) = CFITSIO.checkSums(file, &status)
    guard status == 0 else { throw error(status, doing: "computing its checksums") }
    return FITSSums(data: FITSSums.Outcome(data), unit: FITSSums.Outcome(unit))
  }
}

extension FITSSums.Outcome {
  /// - Parameter result: 1 for a right sum, -1 for a wrong one, 0 for none.
  fileprivate init(_ result: CInt) {
    self = result > 0 ? .right : result < 0 ? .wrong : .absent
  }
}
