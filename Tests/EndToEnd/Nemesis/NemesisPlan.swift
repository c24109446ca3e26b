import SkyNetCore

/// What a nemesis does and when, and what is engaged meanwhile: all of it follows from a seed.
struct NemesisPlan: Equatable {
  enum Fault: String, CaseIterable, Comparable {
    // Of a node.
    case kill, stop, drain
    // Of a host's cable: pulled once, pulled again and again, slow.
    case cut, flap, slow
    // Of a wire: see `FaultyWire`.
    case delay, stall, mute, sever
    // Of a member gone bad: random bytes, within TLS and without it.
    case babble, gibber

    static func < (a: Fault, b: Fault) -> Bool { a.rawValue < b.rawValue }
  }

  /// A fault that comes after a pause, and is undone after some time.
  struct Blow: Equatable {
    let pause: Duration
    let fault: Fault
    let lasting: Duration
  }

  /// An engagement, with all that is drawn of it.
  struct Work: Equatable {
    let client: String
    let total: Int
    let scanSeconds: Double
    let failingEvery: Int
    /// 0 for none.
    let localSlots: Int
    let isThroughWires: Bool
    /// When the engagement itself is stopped, and for how long.
    let stop: (after: Duration, lasting: Duration)?

    static func == (a: Work, b: Work) -> Bool { "\(a)" == "\(b)" }
  }

  let seed: UInt64
  /// The blows that each victim takes, one after another.
  let blows: [String: [Blow]]
  /// Engagements that run one after another, or two at a time.
  let rounds: [[Work]]

  /// - Parameters:
  ///   - victims: the faults that each can have.
  ///   - clients: where engagements run; those of the first may go through wires.
  ///   - onlyWires: whether they have to.
  init(
    seed: UInt64, seconds: Int, victims: [String: [Fault]], clients: [String],
    onlyWires: Bool = false
  ) {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    var blows: [String: [Blow]] = [:]
    for (victim, faults) in victims.sorted(by: { $0.key < $1.key }) {
      // Each takes half a second at least.
      blows[victim] = (0..<seconds * 2).map { _ in
        Blow(
          pause: random.seconds(0.3...3), fault: random.pick(faults),
          lasting: random.seconds(0.2...3))
      }
    }
    self.blows = blows
    rounds = (0..<seconds).map { _ in
      (0..<(random.chance(0.5) ? 1 : 2)).map { _ in
        Self.work(clients: clients, onlyWires: onlyWires, &random)
      }
    }
  }

  private static func work(clients: [String], onlyWires: Bool, _ random: inout SplitMix64) -> Work {
    // The first has more to do: only there are wires.
    let client = random.chance(0.4) ? clients[0] : random.pick(clients)
    let isThroughWires = random.chance(0.6) && client == clients[0]
    return Work(
      client: client, total: Int.random(in: 40...160, using: &random),
      scanSeconds: random.pick([0.1, 0.2, 0.3, 0.5]), failingEvery: random.pick([0, 7, 10]),
      localSlots: random.pick([0, 1, 2]), isThroughWires: isThroughWires || onlyWires,
      stop: random.chance(0.3) ? (random.seconds(0.5...3), random.seconds(0.2...3)) : nil)
  }
}
