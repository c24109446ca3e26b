import SkyNetCore

extension Plan {
  /// A world in which anything may happen.
  static func storm(_ random: inout SplitMix64) -> Plan {
    var plan = Plan()
    plan.mayGrow = true
    plan.mayBeUnsuited = true
    let timeout: Duration? = random.chance(0.5) ? .seconds(5) : nil
    // With a short timeout for systems, a draining system may still run scans when the other tasks
    // are abandoned.
    plan.settings = EngagementSettings(
      hedgeFactor: random.chance(0.8) ? 2 : nil, scanTimeout: timeout,
      noSystemTimeout: .seconds(random.chance(0.7) ? 60 : 1))
    plan.hasJournal = random.chance(0.4)
    plan.coordinators = !plan.hasJournal && random.chance(0.4) ? 2 : 1
    plan.coordinatorCrashes = plan.hasJournal ? random.pick([0, 1, 3]) : 0
    plan.nodes = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Node(
        slots: Int.random(in: 1...4, using: &random), slowness: random.chance(0.2) ? 10 : 1,
        isBroken: random.chance(0.05), isLying: random.chance(0.05),
        life: random.chance(0.1) ? random.seconds(0.5...4) : nil,
        cutEvery: random.chance(0.1) ? random.seconds(0.5...4) : nil)
    }
    plan.localSlots = random.chance(0.3) ? 2 : 0
    let trouble = random.chance(0.3) ? 0.15 : 0
    plan.sectors = (0..<Int.random(in: 1...24, using: &random)).map { _ in
      random.chance(trouble) ? random.pick([.bad, .bad, .poison, .suddenPoison]) : .good
    }
    plan.passes = random.chance(0.3) ? 2 : 1
    plan.scan = 0...random.pick([0.001, 0.1, 3])
    plan.throwing = random.pick([0, 0.05, 0.3])
    // Only a timeout ends a scan that hangs.
    plan.hanging = timeout == nil ? 0 : random.pick([0, 0.1])
    plan.faults = random.pick([0, 1, 3, 8])
    plan.faultsEnd = Instant(sinceOrigin: random.pick([.seconds(1), .seconds(20)]))
    plan.loss = random.pick([0, 0, 0.01])
    plan.duplication = random.pick([0, 0.1])
    plan.reorders = random.chance(0.3)
    plan.isLast = random.chance(0.1)
    plan.interruption = random.chance(0.1) ? Instant(sinceOrigin: random.seconds(0...10)) : nil
    return plan
  }

  /// With every sixth seed, some systems are unsuited, and with some of these seeds scans fail beyond mending. Chance
  /// comes from a stream of its own, so that the other worlds are what they always were.
  mutating func makeUnsuited(seed: UInt64) {
    guard mayBeUnsuited, seed % 6 == 1 else { return }
    var random = SplitMix64(seed: seed ^ 0x5EED)
    let share = random.pick([0, 0.3, 0.3, 1])
    for node in nodes.indices { nodes[node].isUnsuited = random.chance(share) }
    isLocalUnsuited = random.chance(share)
    unmendable = random.pick([0, 0.05])
  }

  /// With some seeds, failed tasks wait, and no two attempts at one may run at once.
  mutating func makeWaiting(seed: UInt64) {
    guard mayBeUnsuited, seed % 4 == 3 else { return }
    // Cancelling a scan, and the way there, take up to half a second.
    settings.retryWaits = RetryWaits(afterFailure: .milliseconds(500), scanEnd: .seconds(1))
    settings.longestSilence = .seconds(World.timeout + 1)
    settings.hedgeFactor = nil
  }

  /// A world in which one sector kills every system that scans it, and nothing else fails.
  static func oneKiller(_ random: inout SplitMix64) -> Plan {
    var plan = Plan()
    plan.nodes = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      Node(slots: Int.random(in: 1...4, using: &random), slowness: random.chance(0.2) ? 10 : 1)
    }
    plan.hasOneKiller = true
    plan.mayGrow = true
    // A call that is cancelled in transit may still kill, and no one would know. A calm world has
    // no such call.
    plan.isCalm = true
    plan.diesLoudly = true
    plan.hasJournal = random.chance(0.5)
    plan.localSlots = plan.hasJournal ? random.pick([0, 2]) : 0
    plan.sectors = Array(repeating: .good, count: Int.random(in: 2...40, using: &random))
    let killer = Int.random(in: plan.sectors.indices, using: &random)
    plan.sectors[killer] = random.pick([.poison, .suddenPoison])
    plan.scan = 0...random.pick([0.01, 1])
    plan.reorders = random.chance(0.3)
    return plan
  }

  /// As ``oneKiller(_:)``, at places whose processes are restarted at once.
  static func supervisedKiller(_ random: inout SplitMix64) -> Plan {
    var plan = oneKiller(&random)
    plan.hasJournal = true
    plan.localSlots = Int.random(in: 1...4, using: &random)
    plan.isSupervised = true
    return plan
  }

  /// A world in which the process of one place dies young and is restarted, or its connection
  /// breaks, for ever. Nothing else fails.
  static func oneChurning(_ random: inout SplitMix64) -> Plan {
    var plan = Plan()
    plan.localSlots = Int.random(in: 2...4, using: &random)
    var churning = Node(slots: Int.random(in: 1...8, using: &random))
    if random.chance(0.5) {
      churning.life = random.seconds(0.5...3)
    } else {
      churning.cutEvery = random.seconds(0.5...3)
    }
    plan.nodes = [churning]
    if random.chance(0.3) { plan.nodes.append(Node(slots: 2)) }
    if random.chance(0.3) { plan.nodes.append(churning) }
    plan.sectors = Array(repeating: .good, count: Int.random(in: 10...80, using: &random))
    let scan = random.pick([0.5, 2, 3])
    plan.scan = scan...scan
    plan.isCalm = true
    plan.diesLoudly = true
    plan.isEndless = true
    return plan
  }

  /// A world in which one system fails every attempt at once.
  static func oneBroken(_ random: inout SplitMix64) -> Plan {
    var plan = Plan()
    plan.nodes = (0..<Int.random(in: 2...5, using: &random)).map { _ in
      Node(slots: Int.random(in: 1...4, using: &random))
    }
    plan.nodes[0].isBroken = true
    plan.isCalm = true
    plan.sectors = Array(repeating: .good, count: Int.random(in: 20...60, using: &random))
    plan.scan = 0.05...0.1
    return plan
  }

  /// A world in which one system is honest among many that give impossible answers.
  static func manyLiars(_ random: inout SplitMix64) -> Plan {
    var plan = oneBroken(&random)
    plan.nodes[0].isBroken = false
    let liars = Int.random(in: 5...10, using: &random)
    plan.nodes =
      [plan.nodes[0]]
      + Array(
        repeating: Node(slots: Int.random(in: 1...4, using: &random), isLying: true), count: liars)
    return plan
  }

  /// A world in which all sectors throw on every system.
  static func allBad(_ random: inout SplitMix64) -> Plan {
    var plan = oneBroken(&random)
    plan.sectors = Array(repeating: .bad, count: Int.random(in: 1...20, using: &random))
    return plan
  }

  /// A world in which nothing fails, and one system is ten times slower than the others.
  static func slowNode(_ random: inout SplitMix64) -> Plan {
    var plan = Plan()
    let slots = Int.random(in: 1...4, using: &random)
    plan.nodes = Array(
      repeating: Node(slots: slots), count: Int.random(in: 2...5, using: &random))
    plan.nodes[0].slowness = 10
    plan.sectors = Array(
      repeating: .good, count: Int.random(in: plan.nodes.count * slots...200, using: &random))
    plan.isCalm = true
    let scan = random.pick([0.01, 0.2, 1])
    plan.scan = scan...scan
    return plan
  }
}
