/// A kind of work that systems can do on a sector of a sky.
///
/// A scan is registered with a node under its ``kind``; a program that engages the node sends `Settings`
/// and a `Sector`, and gets an `Output` back. The value itself belongs to the machine it runs on
/// and never travels, so it may hold what differs from machine to machine.
public protocol Scan: Sendable {
  /// What holds for every sector of one job; nothing, unless a scan says otherwise.
  associatedtype Settings: Codable & Sendable = NoSettings
  /// One numbered part of the sky, with whatever the scan needs to know of it. Bulk bytes in it
  /// are ``Pixels``, which travel beside the JSON.
  associatedtype Sector: Codable & Sendable
  /// What the scan finds. The same settings and sector give the same output on any machine.
  associatedtype Output: Codable & Sendable

  static var kind: ScanKind { get }

  /// Scans one sector.
  ///
  /// Runs on a thread that it may block. It looks at `Task.isCancelled` at least every 50 ms and
  /// then throws `CancellationError`; one that does not keeps its slot until it ends. What else it
  /// throws fails this attempt, and the sector is tried again elsewhere.
  func run(_ sector: Sector, settings: Settings) async throws -> Output

  /// Scans one sector, and knows which attempt at it this is. The output does not depend on it: that
  /// is for reports, and for failures that are meant.
  ///
  /// This is what SkyNet calls. Unless it is defined, it calls ``run(_:settings:)``.
  func run(_ sector: Sector, settings: Settings, on attempt: ScanAttempt) async throws -> Output

  /// How long scanning this sector may take, on the slowest system that is worth waiting for: what
  /// runs for longer hangs, and is cancelled and tried elsewhere. `nil` for any time, which it is
  /// unless this is defined.
  ///
  /// The engaging program asks its own value for each attempt, and counts from the scan's start. It
  /// looks at attempts when they are half a minute old, so a shorter time ends none before that.
  /// `EngagementSettings.scanTimeout` goes before it.
  func timeLimit(_ sector: Sector, settings: Settings) -> Duration?

  /// Whether scanning this sector takes some tens of microseconds at most and waits for nothing: no
  /// file, no sleep, no lock that others hold for long. To wake a thread for it would take longer.
  ///
  /// Such a scan runs where its call arrives. Until it returns, its connection and those that share
  /// its thread stand still, pings and all; so a node for which they held it up for a second together
  /// says so, and runs every scan on a thread of its own from then on. One that hangs holds up its
  /// connection, and its system is gone after the peer's timeout. Its start is not told, unless the
  /// engagement has a time limit (`EngagementSettings.scanTimeout`): then it runs as any other. If it
  /// kills its process, it is harder to tell that it was this one. Unless this is defined, no scan is
  /// brief.
  func isBrief(_ sector: Sector, settings: Settings) -> Bool
}

extension Scan {
  public func run(
    _ sector: Sector, settings: Settings, on attempt: ScanAttempt
  ) async throws -> Output {
    try await run(sector, settings: settings)
  }

  public func timeLimit(_ sector: Sector, settings: Settings) -> Duration? { nil }

  public func isBrief(_ sector: Sector, settings: Settings) -> Bool { false }
}
