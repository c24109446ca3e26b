import SkyNetCore
import Synchronization

/// What an engagement has found out about packing, system by system.
final class PackingTrials: Sendable {
  /// Smaller sectors are sent as they are, and tell nothing: their way is short either way.
  static let leastBytes = 1 << 16
  /// Sectors of attempts that failed are never delivered, so what is noted of them has a bound.
  private static let mostUnderWay = 4096

  /// A task of an image, on its way to a system.
  struct Delivery: Hashable {
    let image: CachedImage
    let task: TaskID
    let system: Incarnation
  }

  private struct Sent {
    let bytes: Int
    /// How long packing has taken; `nil` if the sector was not packed.
    let packingSeconds: Double?
  }

  private struct State {
    var choices: [Incarnation: PackingChoice] = [:]
    var underWay: [Delivery: Sent] = [:]
  }

  private let state = Mutex(State())

  /// Whether a sector for this system is to be packed.
  func packs(for system: Incarnation) -> Bool {
    state.withLock { $0.choices[system, default: PackingChoice()].next() }
  }

  /// A sector is sent.
  ///
  /// - Parameters:
  ///   - bytes: of its pixels before they were packed.
  ///   - packingSeconds: how long packing has taken; `nil` if it was not packed.
  func sent(_ delivery: Delivery, bytes: Int, packingSeconds: Double?) {
    state.withLock { state in
      if state.underWay.count == Self.mostUnderWay { state.underWay.removeAll() }
      state.underWay[delivery] = Sent(bytes: bytes, packingSeconds: packingSeconds)
    }
  }

  /// A system has scanned a sector, which was so many seconds on its way.
  func delivered(_ delivery: Delivery, in seconds: Double) {
    state.withLock { state in
      guard let sent = state.underWay.removeValue(forKey: delivery) else { return }
      // Unpacking takes as long as packing, and counts as part of the scan at the system.
      state.choices[delivery.system]?.delivered(
        isPacked: sent.packingSeconds != nil, bytes: sent.bytes,
        in: seconds + (sent.packingSeconds ?? 0))
    }
  }
}
