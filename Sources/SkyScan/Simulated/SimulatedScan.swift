import SkyDetection
package import SkyNetCore

/// A scan that only takes time: the way to see how a cluster shares work, and what it does with
/// failures, without an image.
///
/// A scan takes its length by ``ScanLengths`` over the system's speed, and one attempt in so many
/// fails at once, at most two in a row at one sector. Pixels that a sector carries are counted, and
/// not looked at.
package struct SimulatedScan: Scan {
  /// How long a scan takes, and what it carries, changes nothing in its result, so the version stays
  /// 1. A node of an older version cannot read these settings, and refuses the task.
  package static let kind = ScanKind(name: "simulated", version: 1)

  /// How fast this system is: 2 takes half the time.
  package let speed: Double

  /// - Parameter speed: more than 0, or the program stops.
  package init(speed: Double = 1) {
    precondition(speed > 0, "a system's speed is \(speed), must be more than 0")
    self.speed = speed
  }

  /// The first attempt at a sector.
  package func run(_ sector: Sector, settings: Settings) async throws -> String {
    try await run(sector, settings: settings, on: ScanAttempt())
  }

  /// Takes its time, blocking the thread, and returns the sector's number as text.
  ///
  /// - Throws: ``SimulatedFailure`` on the attempts that are to fail; ``InvalidScan`` if the settings
  ///   make no sense or the pixels are not as many as they say; `CancellationError` within 20 ms of
  ///   being cancelled.
  package func run(
    _ sector: Sector, settings: Settings, on attempt: ScanAttempt
  ) async throws -> String {
    try settings.check()
    let count = sector.pixels?.bytes.count ?? 0
    guard count == settings.sectorBytes else {
      throw InvalidScan(
        "a simulated sector of \(count) bytes; its settings say \(settings.sectorBytes)")
    }
    let failures = ScanFailures(every: settings.failingEvery, seed: settings.lengths.seed)
    if failures.fails(sector.number, attempt) {
      throw SimulatedFailure(every: settings.failingEvery)
    }
    let seconds = seconds(sector.number, settings)
    if seconds > 0 { try blockThread(for: seconds) }
    return String(sector.number)
  }

  /// A minute, and a thousand times the sector's length at speed 1: a node's `--speed` is not known
  /// here, and one of 0.001 is to get by. None for one of no length, which cannot hang.
  package func timeLimit(_ sector: Sector, settings: Settings) -> Duration? {
    guard settings.lengths.median > 0 else { return nil }
    return .seconds(60 + 1000 * settings.lengths.seconds(of: sector.number))
  }

  /// One of no length only returns.
  package func isBrief(_ sector: Sector, settings: Settings) -> Bool {
    settings.lengths.median == 0
  }

  /// How long a sector takes here.
  func seconds(_ sector: Int, _ settings: Settings) -> Double {
    settings.lengths.seconds(of: sector) / speed
  }
}
