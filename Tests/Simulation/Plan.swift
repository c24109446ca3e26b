import SkyNetCore

/// Who takes part in a world, and how badly it goes.
struct Plan {
  /// What a sector does to those who scan it.
  enum Nature {
    case good
    /// It always throws.
    case bad
    /// The system that scans it dies.
    case poison
    /// It dies before it can even tell that the scan began.
    case suddenPoison

    var isPoison: Bool { self == .poison || self == .suddenPoison }
  }

  struct Node {
    var slots: Int
    /// Its scans take so many times as long.
    var slowness = 1.0
    /// It fails whatever it is given, at once.
    var isBroken = false
    /// It answers whatever it is given at once, with what cannot be.
    var isLying = false
    /// Its process dies whenever it has lived for so long, and is started again at once.
    var life: Duration?
    /// Its connections break each time after so long.
    var cutEvery: Duration?
  }

  /// How long a supervisor takes to start a process again.
  static let supervision = Duration.milliseconds(200)

  var settings = EngagementSettings()
  var coordinators = 1
  var nodes: [Node] = []
  /// The slots of each coordinator's own system; none if it has none.
  var localSlots = 0
  var sectors: [Nature] = []
  /// Nothing fails but by one sector.
  var hasOneKiller = false
  var passes = 1
  /// How long a scan takes.
  var scan: ClosedRange<Double> = 0...1
  var throwing = 0.0
  var hanging = 0.0
  /// From 0 up to here systems crash, drain and are cut off, and messages are lost.
  var faultsEnd = Instant()
  var faults = 0
  /// Processes die and hosts do not: a broken connection is noticed at once.
  var diesLoudly = false
  /// A node's process that died is started again at once.
  var isSupervised = false
  /// Processes that do not live long, and connections that do not hold, stay so beyond ``faultsEnd``.
  var isEndless = false
  /// Everybody is there from the beginning, and no message takes long.
  var isCalm = false
  /// How often a message is lost, and its connection with it; or comes twice.
  var loss = 0.0
  var duplication = 0.0
  /// Messages of one connection overtake each other.
  var reorders = false
  /// How often what was on its way when a connection broke arrives all the same, late.
  var lateness = 0.5
  /// Whether what happens is recorded, so that a coordinator that crashed is followed by another.
  var hasJournal = false
  var coordinatorCrashes = 0
  /// Whether all nodes are lost in the end, and none comes back.
  var isLast = false
  var interruption: Instant?

  /// By when everything has ended for certain: what came last waited for a system until it gave up,
  /// or each task in turn took all of its attempts.
  func bound() -> Instant {
    // A liar's answers count against no task, but where it has been before.
    let lies = nodes.count(where: \.isLying) * (faults + 1)
    let attempts = settings.attempts + 2 * settings.deaths + faults * 2 + lies
    let slowest = nodes.map(\.slowness).max() ?? 1
    let scan = Duration.seconds(self.scan.upperBound * slowest)
    let each = max(scan, settings.scanTimeout ?? .zero) + .seconds(1)
    let tasks = sectors.count * passes * coordinators
    // A poisoned sector takes a system each time, and those next to it are tried again too.
    let deaths = sectors.count(where: \.isPoison) * 2 * settings.deaths * coordinators
    return faultsEnd + .seconds(300) + each * (attempts * tasks) + .seconds(60) * deaths
  }
}
