public import SkyNetCore

/// A scan that only takes time: the way to see how a cluster shares work, and what it does with
/// failures, without an image.
///
/// A scan takes `seconds / speed`, and every so many calls in a process one fails at once. The
/// calls are counted by the process, not by the sector, so a sector that failed on one attempt
/// passes on the next.
public struct SimulatedScan: Scan {
  /// What every sector of a simulated job has in common.
  public struct Settings: Codable, Hashable, Sendable {
    /// How long one sector takes on a system of speed 1. Zero returns at once, which shows what
    /// the cluster itself costs. From 0 to ``SimulatedScan/maximumSeconds``.
    public var seconds: Double
    /// Every how many calls in a process one throws ``SimulatedFailure``; 0 is never.
    public var failingEvery: Int

    public init(seconds: Double = 1, failingEvery: Int = 10) {
      self.seconds = seconds
      self.failingEvery = failingEvery
    }
  }

  /// A sector is nothing but its number.
  public typealias Sector = Int

  public static let kind = ScanKind(name: "simulated", version: 1)
  /// A day: the longest a sector can be asked to take.
  public static let maximumSeconds = 86_400.0

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
  ///   no sense, `CancellationError` within 20 ms of being cancelled.
  public func run(_ sector: Sector, settings: Settings) async throws -> String {
    guard settings.seconds >= 0, settings.seconds <= Self.maximumSeconds else {
      throw InvalidScan(
        "a simulated scan of \(settings.seconds) s; from 0 to \(Self.maximumSeconds) is allowed")
    }
    guard settings.failingEvery >= 0 else {
      throw InvalidScan(
        "a failure every \(settings.failingEvery) calls; 0 (never) or more is allowed")
    }
    let call = calls.next()
    if settings.failingEvery > 0, call.isMultiple(of: settings.failingEvery) {
      throw SimulatedFailure(every: settings.failingEvery)
    }
    if settings.seconds > 0 { try blockThread(for: seconds(settings)) }
    return String(sector)
  }

  /// How long a scan takes here.
  func seconds(_ settings: Settings) -> Double { settings.seconds / speed }
}
