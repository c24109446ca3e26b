import SkyNetCore
import Synchronization

/// The choices of an engagement about packing, system by system, and what they follow from.
final class PackingChoices: Sendable {
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
    /// In seconds since ``origin``.
    let begin: Double
  }

  private struct State {
    var choices: [Incarnation: PackingChoice] = [:]
    var underWay: [Delivery: Sent] = [:]
  }

  private let origin = ContinuousClock.now
  private let state = Mutex(State())

  /// Whether a sector for this system is to be packed.
  func packs(for system: Incarnation) -> Bool {
    state.withLock { $0.choices[system, default: PackingChoice()].next() }
  }

  /// A sector for this system was packed.
  func packed(
    _ bytes: Int, into smaller: Int, for system: Incarnation, since begin: ContinuousClock.Instant
  ) {
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    state.withLock { $0.choices[system]?.packed(bytes, into: smaller, in: seconds) }
  }

  /// A sector with so many bytes, packed or not, is sent.
  func sent(_ bytes: Int, _ delivery: Delivery) {
    let begin = (ContinuousClock.now - origin) / .seconds(1)
    state.withLock { state in
      if state.underWay.count == Self.mostUnderWay { state.underWay.removeAll() }
      state.underWay[delivery] = Sent(bytes: bytes, begin: begin)
    }
  }

  /// A system has scanned a sector, which was so many seconds on its way.
  func delivered(_ delivery: Delivery, in seconds: Double) {
    state.withLock { state in
      guard let sent = state.underWay.removeValue(forKey: delivery) else { return }
      state.choices[delivery.system]?.arrived(
        sent.bytes, from: sent.begin, to: sent.begin + seconds)
    }
  }
}
