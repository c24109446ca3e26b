import SkyNetCore
import Synchronization

/// A task's settings and sector until they are encoded.
final class ForgettableWork: TaskWork {
  private let work: Mutex<(any TaskWork)?>

  init(_ work: any TaskWork) {
    self.work = Mutex(work)
  }

  func forget() {
    // Not freed under the lock: it may be large.
    _ = work.withLock { $0.take() }
  }

  private var remembered: (any TaskWork)? { work.withLock { $0 } }

  private func known() throws -> any TaskWork {
    guard let work = remembered else {
      throw CallFailure(.system, "the task was sent to a system already")
    }
    return work
  }

  func run(with scan: any Scan, on attempt: ScanAttempt) async throws -> any Codable & Sendable {
    try await known().run(with: scan, on: attempt)
  }

  func isBrief(for scan: any Scan) -> Bool { remembered?.isBrief(for: scan) ?? false }

  func encode(into container: inout KeyedEncodingContainer<ScanTask.CodingKeys>) throws {
    try known().encode(into: &container)
  }

  func writeSettings(to parts: inout PartEncoder) -> Bool {
    remembered?.writeSettings(to: &parts) ?? false
  }

  func writeSector(to parts: inout PartEncoder) -> Bool {
    remembered?.writeSector(to: &parts) ?? false
  }
}
