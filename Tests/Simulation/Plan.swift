import SkyNetCore

/// What one seed stands for: who takes part, and how badly it goes.
struct Plan {
  /// What a sector does to those who scan it.
  enum Nature {
    case good
    /// It always throws.
    case bad
    /// The system that scans it dies, though not before it could tell that the scan had begun: a
    /// death that comes sooner is not counted, and so repeats.
    case poison
  }

  let settings: EngagementSettings
  let coordinators: Int
  /// The slots of each node.
  let nodes: [Int]
  /// The slots of each coordinator's own system; none if it has none.
  let localSlots: Int
  let sectors: [Nature]
  let passes: Int
  /// A scan takes up to this long.
  let scan: Duration
  let throwing: Double
  let hanging: Double
  /// From 0 up to here systems crash, drain and are cut off.
  let faultsEnd: Instant
  let faults: Int
  /// Whether all nodes are lost in the end, and none comes back.
  let isLast: Bool
  let interruption: Instant?

  init(_ random: inout SplitMix64) {
    let timeout: Duration? = random.chance(0.5) ? .seconds(5) : nil
    // With little patience, systems that drain may still run scans when the rest is given up.
    settings = EngagementSettings(
      scanTimeout: timeout, noSystemTimeout: .seconds(random.chance(0.7) ? 60 : 1))
    coordinators = random.chance(0.3) ? 2 : 1
    nodes = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Int.random(in: 1...4, using: &random)
    }
    localSlots = random.chance(0.3) ? 2 : 0
    let trouble = random.chance(0.3) ? 0.15 : 0
    sectors = (0..<Int.random(in: 1...24, using: &random)).map { _ in
      guard random.chance(trouble) else { return .good }
      return random.chance(0.5) ? .bad : .poison
    }
    passes = random.chance(0.3) ? 2 : 1
    scan = random.pick([.milliseconds(1), .milliseconds(100), .seconds(3)])
    throwing = random.pick([0, 0.05, 0.3])
    // Without a timeout nothing ends a scan that hangs.
    hanging = timeout == nil ? 0 : random.pick([0, 0.1])
    faults = random.pick([0, 1, 3, 8])
    faultsEnd = Instant(sinceOrigin: random.pick([.seconds(1), .seconds(20)]))
    isLast = random.chance(0.1)
    interruption =
      random.chance(0.1) ? Instant(sinceOrigin: random.seconds(0...10)) : nil
  }

  /// By when everything has ended for certain: what came last waited for a system until it gave up,
  /// or each task in turn took all of its attempts.
  var bound: Instant {
    let attempts = settings.attempts + settings.deaths + faults * 2
    let each = max(scan, settings.scanTimeout ?? .zero) + .seconds(1)
    let tasks = sectors.count * passes * coordinators
    // A poisoned sector takes a system each time, and those next to it are tried again too.
    let deaths = sectors.count { $0 == .poison } * settings.deaths * coordinators
    return faultsEnd + .seconds(300) + each * (attempts * tasks) + .seconds(60) * deaths
  }
}
