/// A scan cannot get the data of a sector that says only where they are, such as in a file. The
/// engagement makes the sector again for the same attempt; see ``ReferringJob/refused(_:by:for:)``. Nothing
/// counts as failed.
package struct SectorDataRefused: Error, Hashable, Sendable, CustomStringConvertible {
  /// The longest code, in bytes of UTF-8.
  static let maximumCodeBytes = 63

  /// The kind of the fault, by which the job decides what to send instead: at most 63 bytes.
  package let code: String
  /// The fault, for people.
  package let reason: String

  package init(code: String, reason: String) {
    self.code = code
    self.reason = reason
  }

  package var description: String { reason }
}

extension CallFailure {
  /// The failure that stands for the refusal on the wire.
  package init(_ refusal: SectorDataRefused) {
    self.init(.data, refusal.reason)
    code = refusal.code
  }

  /// The refusal that the failure stands for; `nil` if it is another failure.
  package var refusal: SectorDataRefused? {
    fault == .data ? SectorDataRefused(code: code ?? "", reason: message) : nil
  }
}
