public import SkyNetCore

/// A scan that only takes time: the way to see how a cluster shares work, and what it does with
/// failures, without an image.
///
/// A scan takes its length by ``ScanLengths`` over the system's speed, and every so many calls in a
/// process one fails at once. The calls are counted by the process, not by the sector, so a sector
/// that failed on one attempt passes on the next. Pixels that a sector carries are counted, and not
/// looked at.
public struct SimulatedScan: Scan {
  /// How long a scan takes, and what it carries, changes nothing in its result, so the version stays
  /// 1. Who knows less than these settings cannot read them, and refuses the task.
  public static let kind = ScanKind(name: "simulated", version: 1)

  /// How fast this system is: 2 takes half the time.
  public let speed: Double
  private let calls: CallCounter

  /// - Parameters:
  ///   - speed: more than 0, or the program stops.
  ///   - calls: what counts the calls; unless given, the counter of the whole process.
  public init(speed: Double = 1, calls: CallCounter = .process) {
    precondition(speed > 0, "a system's speed is \(speed), must be more than 0")
    self.speed = speed
    self.calls = calls
  }

  /// Takes its time, blocking the thread, and returns the sector's number as text.
  ///
  /// - Throws: ``SimulatedFailure`` on every so manyth call, ``InvalidScan`` if the settings make
  ///   no sense or the pixels are not as many as they say, `CancellationError` within 20 ms of being
  ///   cancelled.
  public func run(_ sector: Sector, settings: Settings) async throws -> String {
    try settings.check()
    let count = sector.pixels?.bytes.count ?? 0
    guard count == settings.sectorBytes else {
      throw InvalidScan(
        "a simulated sector of \(count) bytes; its settings say \(settings.sectorBytes)")
    }
    let call = calls.next()
    if settings.failingEvery > 0, call.isMultiple(of: settings.failingEvery) {
      throw SimulatedFailure(every: settings.failingEvery)
    }
    let seconds = seconds(sector.number, settings)
    if seconds > 0 { try blockThread(for: seconds) }
    return String(sector.number)
  }

  /// One of no length only returns.
  public func isBrief(_ sector: Sector, settings: Settings) -> Bool { settings.lengths.median == 0 }

  /// How long a sector takes here.
  func seconds(_ sector: Int, _ settings: Settings) -> Double {
    settings.lengths.seconds(of: sector) / speed
  }
}
