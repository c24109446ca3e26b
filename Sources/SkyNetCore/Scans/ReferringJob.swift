/// A job that makes sectors for the systems that scan them. A sector may say only where a system finds the data: in a
/// file that it may be able to read, or that it keeps them since an earlier task; or it shows one system alone what the
/// engagement may ask of it.
package protocol ReferringJob: Job {
  /// Whether systems keep data of a sector for its later tasks, which then go to the system that scanned it last, if that
  /// has a free slot. By default they do.
  var keepsData: Bool { get }

  /// Makes the data that this system needs to scan one sector. If the system cannot get them, its scan throws
  /// ``SectorDataRefused``.
  func sector(for task: TaskID, on recipient: SectorRecipient) async throws -> Work.Sector

  /// A system could not get the data of a sector that ``sector(for:on:)`` has made for it. The
  /// attempt goes on: that method is called once more for it, and after a second refusal
  /// ``Job/sector(for:)``. By default nothing else is to be sent. May be called from several threads at once.
  func refused(
    _ refusal: SectorDataRefused, by recipient: SectorRecipient, for task: TaskID
  ) async

  /// A system has scanned a sector that ``sector(for:on:)`` has made for it. All that was not the scan itself, nor the
  /// wait for a slot, took so many seconds: making the sector, sending it, and the answer's way. By default the job
  /// does not care. May be called from several threads at once.
  func delivered(_ task: TaskID, to recipient: SectorRecipient, in seconds: Double)
}

extension ReferringJob {
  package var keepsData: Bool { true }

  package func refused(
    _ refusal: SectorDataRefused, by recipient: SectorRecipient, for task: TaskID
  ) async {}

  package func delivered(_ task: TaskID, to recipient: SectorRecipient, in seconds: Double) {}
}

/// The system that a sector is made for.
package struct SectorRecipient: Hashable, Sendable {
  /// The system's id. A system that was restarted has another one.
  package let incarnation: Incarnation
  package let name: String
  package let isLocal: Bool

  package init(incarnation: Incarnation, name: String, isLocal: Bool) {
    self.incarnation = incarnation
    self.name = name
    self.isLocal = isLocal
  }
}

/// A scan cannot get the data of a sector that says only where they are. Nothing counts as failed; see
/// ``ReferringJob/refused(_:by:for:)``.
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
