/// A job that makes sectors for the systems that scan them. A sector may say only where a system finds the data: in a
/// file that it may be able to read, or that it keeps them since an earlier task. A sector's later tasks go to the
/// system that scanned it last, if that has a free slot.
package protocol ReferringJob: Job {
  /// Makes the data that this system needs to scan one sector. If the system cannot get them, its scan throws
  /// ``SectorDataRefused``.
  func sector(for task: TaskID, on recipient: SectorRecipient) async throws -> Work.Sector

  /// A system could not get the data of a sector that ``sector(for:on:)`` has made for it. The
  /// attempt goes on: that method is called once more for it, and after a second refusal
  /// ``Job/sector(for:)``. May be called from several threads at once.
  func refused(
    _ refusal: SectorDataRefused, by recipient: SectorRecipient, for task: TaskID
  ) async

  /// A system has scanned a sector that ``sector(for:on:)`` has made for it. All that was not the scan itself, nor the
  /// wait for a slot, took so many seconds: making the sector, sending it, and the answer's way. By default the job
  /// does not care. May be called from several threads at once.
  func delivered(_ task: TaskID, to recipient: SectorRecipient, in seconds: Double)
}

extension ReferringJob {
  package func delivered(_ task: TaskID, to recipient: SectorRecipient, in seconds: Double) {}
}
