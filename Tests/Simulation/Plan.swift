import SkyNetCore

/// The members of a world, and its faults.
struct Plan {
  /// The effect of a sector on the systems that scan it.
  enum Nature {
    case good
    /// The scan always throws.
    case bad
    /// The system that scans the sector dies.
    case poison
    /// The system dies before it can even report that the scan began.
    case suddenPoison

    var isPoison: Bool { self == .poison || self == .suddenPoison }
  }

  struct Node {
    var slots: Int
    /// The factor by which scans take longer here.
    var slowness = 1.0
    /// Whether the node fails every attempt at once.
    var isBroken = false
    /// Whether the node gives an impossible answer to every attempt at once.
    var isLying = false
    /// Whether the node is unsuited for every run, as each scan finds at once.
    var isUnsuited = false
    /// How long the process lives each time before it dies and is restarted at once; `nil` for
    /// ever.
    var life: Duration?
    /// The interval at which the node's connections break; `nil` for never.
    var cutEvery: Duration?
  }

  /// The time that a supervisor takes to restart a process.
  static let supervision = Duration.milliseconds(200)

  var settings = EngagementSettings()
  var coordinators = 1
  var nodes: [Node] = []
  /// The slots of each coordinator's own system; 0 if it has none.
  var localSlots = 0
  var sectors: [Nature] = []
  /// Whether one sector is the only cause of failures.
  var hasOneKiller = false
  var passes = 1
  /// The range of scan durations, in seconds.
  var scan: ClosedRange<Double> = 0...1
  var throwing = 0.0
  /// The probability that a scan fails in a way that no other attempt would mend.
  var unmendable = 0.0
  var hanging = 0.0
  /// Until this instant systems crash, drain and are cut off, and messages are lost.
  var faultsEnd = Instant()
  var faults = 0
  /// Whether only processes die, and no hosts: then a broken connection is noticed at once.
  var diesLoudly = false
  /// Whether a node's process that died is restarted at once.
  var isSupervised = false
  /// Whether short lives of processes and connections go on beyond ``faultsEnd``.
  var isEndless = false
  /// Whether all nodes are there from the beginning, and no message takes long.
  var isCalm = false
  /// The probability that a message is lost, and its connection with it, and the probability that
  /// it arrives twice.
  var loss = 0.0
  var duplication = 0.0
  /// Whether messages of one connection overtake each other.
  var reorders = false
  /// The probability that a message in transit arrives, late, although its connection broke.
  var lateness = 0.5
  /// Whether coordinators keep a journal, from which another process goes on after a crash.
  var hasJournal = false
  var coordinatorCrashes = 0
  /// Whether all nodes are lost in the end, and none comes back.
  var isLast = false
  var interruption: Instant?
  /// Whether the world's jobs grow with some seeds; see ``Growth``.
  var mayGrow = false
  /// Whether systems are unsuited with some seeds; see ``makeUnsuited(seed:)``.
  var mayBeUnsuited = false
  /// Whether the coordinators' own systems are unsuited.
  var isLocalUnsuited = false

  /// The instant by which everything has certainly ended. At worst the last tasks waited for a
  /// system until the engagement gave up, or each task in turn used up all of its attempts.
  func bound() -> Instant {
    // An impossible answer counts against a task only where the task has failed before.
    let lies = nodes.count(where: \.isLying) * (faults + 1)
    let attempts = settings.attempts + 2 * settings.deaths + faults * 2 + lies
    let slowest = nodes.map(\.slowness).max() ?? 1
    let scan = Duration.seconds(self.scan.upperBound * slowest)
    let waits =
      settings.retryWaits == RetryWaits()
      ? .zero : RetryWaits.longest + .seconds(4 * World.timeout)
    let each = max(scan, settings.scanTimeout ?? .zero) + .seconds(1) + waits
    let tasks = sectors.count * passes * coordinators
    // A poison sector kills a system each time, and its neighbours there are tried again too.
    let deaths = sectors.count(where: \.isPoison) * 2 * settings.deaths * coordinators
    let growth =
      mayGrow ? Growth.longestWait * Double((sectors.count + 1) * (1 + coordinatorCrashes)) : 0
    return faultsEnd + .seconds(300) + .seconds(growth) + each * (attempts * tasks) + .seconds(60)
      * deaths
  }
}
