import SkyNetCore

/// The faults that a nemesis injects, and the engagements that run meanwhile. All of it follows
/// from a seed.
struct NemesisPlan: Equatable {
  enum Fault: String, CaseIterable, Comparable {
    // Faults of a node.
    case kill, stop, drain
    // Faults of a host's cable: pulled once, pulled again and again, slow.
    case cut, flap, slow
    // Faults of a wire: see `FaultyWire`.
    case delay, stall, mute, sever
    // Random bytes sent to a node, within TLS and without it.
    case babble, gibber
    // The image that engagements scan is written over.
    case rewrite

    static func < (a: Fault, b: Fault) -> Bool { a.rawValue < b.rawValue }
  }

  /// A fault that comes after a pause, and is undone after some time.
  struct ScheduledFault: Equatable {
    let pause: Duration
    let fault: Fault
    let lasting: Duration
  }

  /// An engagement with randomly drawn options.
  struct Work: Equatable {
    let client: String
    let total: Int
    let scanSeconds: Double
    let failingEvery: Int
    /// Whether it scans the image, and no simulated sectors.
    let scansImage: Bool
    /// 0 means `--no-local`.
    let localSlots: Int
    let isThroughWires: Bool
    /// When the engagement's own process is stopped (SIGSTOP), and for how long.
    let stop: (after: Duration, lasting: Duration)?

    static func == (a: Work, b: Work) -> Bool { "\(a)" == "\(b)" }
  }

  let seed: UInt64
  /// The faults of each victim, one after another.
  let schedule: [String: [ScheduledFault]]
  /// Engagements; those of one round run at the same time.
  let rounds: [[Work]]

  /// - Parameters:
  ///   - victims: the possible faults of each victim.
  ///   - clients: the hosts where engagements run; those of the first may connect through wires.
  ///   - onlyWires: whether all engagements connect through wires.
  init(
    seed: UInt64, seconds: Int, victims: [String: [Fault]], clients: [String],
    onlyWires: Bool = false
  ) {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    var schedule: [String: [ScheduledFault]] = [:]
    for (victim, faults) in victims.sorted(by: { $0.key < $1.key }) {
      // Each fault takes at least half a second.
      schedule[victim] = (0..<seconds * 2).map { _ in
        ScheduledFault(
          pause: random.seconds(0.3...3), fault: random.pick(faults),
          lasting: random.seconds(0.2...3))
      }
    }
    self.schedule = schedule
    rounds = (0..<seconds).map { _ in
      (0..<(random.chance(0.5) ? 1 : 2)).map { _ in
        Self.work(clients: clients, onlyWires: onlyWires, &random)
      }
    }
  }

  private static func work(clients: [String], onlyWires: Bool, _ random: inout SplitMix64) -> Work {
    // The first client gets more engagements: only it has wires.
    let client = random.chance(0.4) ? clients[0] : random.pick(clients)
    let isThroughWires = random.chance(0.6) && client == clients[0]
    return Work(
      client: client, total: Int.random(in: 40...160, using: &random),
      scanSeconds: random.pick([0.1, 0.2, 0.3, 0.5]), failingEvery: random.pick([0, 7, 10]),
      scansImage: random.chance(0.3), localSlots: random.pick([0, 1, 2]),
      isThroughWires: isThroughWires || onlyWires,
      stop: random.chance(0.3) ? (random.seconds(0.5...3), random.seconds(0.2...3)) : nil)
  }
}
