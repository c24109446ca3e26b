import SkyNetCore

/// The latest events, which show how a failure came about, and a digest of all events.
struct Trace {
  private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  private let digests: Bool
  private var latest: [(time: Instant, event: Event)] = []

  init(digests: Bool) { self.digests = digests }

  mutating func add(_ event: Event, at now: Instant) {
    latest.append((now, event))
    if latest.count > 60 { latest.removeFirst(30) }
    guard digests else { return }
    // FNV-1a.
    for byte in "\(now.sinceOrigin) \(event)".utf8 {
      digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }

  var lines: [String] { latest.map { "\($0.time.sinceOrigin.inSeconds) \($0.event)" } }
}
