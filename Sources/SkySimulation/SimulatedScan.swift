package import SkyNetCore

/// A scan that only takes time. It shows how a cluster distributes work and handles failures,
/// without an image.
///
/// A scan takes the duration of ``ScanLengths`` divided by the system's speed. One attempt in
/// ``Settings/failingEvery`` fails at once, at most two in a row at one sector. The bytes of a sector's pixels are
/// counted, and not read.
package struct SimulatedScan: Scan {
  /// Durations and pixels do not change a scan's result, so the version stays 1. A node of an older
  /// version cannot read these settings, and refuses the task.
  package static let kind = ScanKind(name: "simulated", version: 1)

  /// A scan only waits, so a node and an engagement on one machine run twice as many as one of them.
  package static let keepsProcessorBusy = false

  /// The speed of this system: with 2, scans take half the time.
  package let speed: Double

  /// - Parameter speed: the speed; it must be more than 0.
  package init(speed: Double = 1) {
    precondition(speed > 0, "a system's speed is \(speed), must be more than 0")
    self.speed = speed
  }

  /// Runs the first attempt at a sector.
  package func run(_ sector: Sector, settings: Settings) async throws -> String {
    try await run(sector, settings: settings, on: ScanAttempt())
  }

  /// Blocks the thread for the sector's duration, and returns the sector's number as text.
  ///
  /// - Throws: ``SimulatedFailure`` on the attempts that are chosen to fail; ``InvalidSimulation`` if a
  ///   setting is out of its range, or the number of bytes is not the one in the settings;
  ///   `CancellationError` within 20 ms after the task was cancelled.
  package func run(
    _ sector: Sector, settings: Settings, on attempt: ScanAttempt
  ) async throws -> String {
    try settings.check()
    let count = sector.pixels?.bytes.count ?? 0
    guard count == settings.sectorBytes else {
      throw InvalidSimulation(
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

  /// A minute, and a thousand times the sector's duration at speed 1. The node's `--speed` is
  /// unknown here, and a speed of 0.001 should be possible. A sector without duration has no limit,
  /// because it cannot hang.
  package func timeLimit(_ sector: Sector, settings: Settings) -> Duration? {
    guard settings.lengths.median > 0 else { return nil }
    return .seconds(60 + 1000 * settings.lengths.seconds(of: sector.number))
  }

  /// A sector without duration returns at once.
  package func isBrief(_ sector: Sector, settings: Settings) -> Bool {
    settings.lengths.median == 0
  }

  /// The duration of a sector on this system, in seconds.
  func seconds(_ sector: Int, _ settings: Settings) -> Double {
    settings.lengths.seconds(of: sector) / speed
  }
}
