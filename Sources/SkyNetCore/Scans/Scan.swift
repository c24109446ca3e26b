/// A kind of work that systems can do on a sector of a sky.
///
/// A scan is registered with a node under its ``kind``. A program that engages the node sends
/// `Settings` and a `Sector`, and gets an `Output` back. The scan value itself belongs to its
/// machine and never travels, so it may hold what differs from machine to machine.
public protocol Scan: Sendable {
  /// The settings that all sectors of one job share. By default there are none.
  associatedtype Settings: Codable & Sendable = NoSettings
  /// One numbered part of the sky, with all that the scan needs to know of it. Its bulk bytes are
  /// ``BulkBytes``, which travel beside the JSON.
  associatedtype Sector: Codable & Sendable
  /// The scan's findings. The same settings and sector give the same output on every machine.
  associatedtype Output: Codable & Sendable

  /// The name and version under which nodes and programs know the scan. Another version is another scan.
  static var kind: ScanKind { get }

  /// Whether a running scan keeps a processor busy, as most do. If it only waits, for an instrument or a network,
  /// this machine has room for more scans than it has cores. Then a program that
  /// `ClusterSettings.yieldsToNodesHere` uses its own slots beside those of a node on the same machine.
  ///
  /// The engaging program asks its own value; nodes do not learn of it. By default it is true.
  static var keepsProcessorBusy: Bool { get }

  /// Scans one sector.
  ///
  /// This method runs on a thread that it may block. It has to look at `Task.isCancelled` at least
  /// every 50 ms and then throw `CancellationError`; a scan that does not keeps its slot until it
  /// ends. Any other error fails this attempt, and the sector is tried again elsewhere, unless the error says
  /// more: ``SystemUnsuited``, ``SystemFull`` or ``UnmendableFailure``.
  func run(_ sector: Sector, settings: Settings) async throws -> Output

  /// Scans one sector, and is told which attempt at it this is. The output must not depend on that.
  /// SkyNet calls this method. By default, it calls ``run(_:settings:)``.
  func run(_ sector: Sector, settings: Settings, on attempt: ScanAttempt) async throws -> Output

  /// The time that scanning this sector may take on the slowest system worth waiting for. A scan
  /// that runs for longer is cancelled, and the sector is tried elsewhere. `nil`, the default, sets no
  /// limit. `EngagementSettings.scanTimeout` takes precedence.
  ///
  /// The engaging program asks its own value of the scan. It looks at attempts when they are half a
  /// minute old, so a shorter limit may end a scan only then.
  func timeLimit(_ sector: Sector, settings: Settings) -> Duration?

  /// Whether scanning this sector takes some tens of microseconds at most and waits for nothing: no
  /// file, no sleep, no lock that others hold for long. Waking a thread for such a scan would take
  /// longer than the scan. By default, no scan is brief.
  ///
  /// A brief scan runs on the event loop on which its call arrives. Until it returns, all
  /// connections of the node stand still, pings included. So once brief scans have held up a
  /// node for a second in all, the node runs every scan on a thread of its own. The start of a brief
  /// scan is not reported, so it is harder to tell which scan killed a process. If the engagement has
  /// a time limit (`EngagementSettings.scanTimeout`), it runs like any other scan.
  func isBrief(_ sector: Sector, settings: Settings) -> Bool
}

extension Scan {
  public static var keepsProcessorBusy: Bool { true }

  public func run(
    _ sector: Sector, settings: Settings, on attempt: ScanAttempt
  ) async throws -> Output {
    try await run(sector, settings: settings)
  }

  public func timeLimit(_ sector: Sector, settings: Settings) -> Duration? { nil }

  public func isBrief(_ sector: Sector, settings: Settings) -> Bool { false }
}

/// The attempt at a sector that a scan runs for. A scan may log it, or fail on purpose by it.
public struct ScanAttempt: Hashable, Sendable {
  /// The number of the try: 1, and one more for each attempt at the sector that failed before. An
  /// attempt that was lost with its system, handed back or called back is tried again under its own
  /// number. So what follows from the number does not depend on which systems come and go.
  public var number: Int
  /// Whether another system runs the same sector under the same number, and has not ended.
  public var isHedge: Bool
  /// The run that the attempt belongs to, its task, and the name of the system that scans; `nil` where the scan is
  /// called by hand, as in a test.
  public var origin: Origin?

  /// Whether another process asks for it, which may be any member's.
  package var isOfPeer = false

  /// Where an attempt comes from, and where it is made.
  public struct Origin: Hashable, Sendable {
    /// The run that the attempt belongs to.
    public var run: RunID
    /// The task that is attempted.
    public var task: TaskID
    /// The name of the system that scans, as its process knows it.
    public var system: String

    /// Makes an origin, as a test does that calls a scan by hand.
    public init(run: RunID, task: TaskID, system: String) {
      self.run = run
      self.task = task
      self.system = system
    }
  }

  /// - Parameters:
  ///   - number: the number of the try, 1 or more.
  ///   - isHedge: whether another system runs the same sector under the same number.
  ///   - origin: where the attempt comes from; `nil` where the scan is called by hand.
  public init(number: Int = 1, isHedge: Bool = false, origin: Origin? = nil) {
    self.number = number
    self.isHedge = isHedge
    self.origin = origin
  }
}

/// The settings of a scan without settings.
public struct NoSettings: Codable, Hashable, Sendable {
  /// Makes the settings of a scan without settings, which are all equal.
  public init() {}
}
