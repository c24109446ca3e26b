import SkyNetCore

/// How one sector of an engagement ended.
public struct SectorOutcome<Output: Sendable>: Sendable {
  /// Which sector it is: its place among those that were given, from 0.
  public let number: Int
  /// What the scan found, or why the sector was given up.
  public let output: Result<Output, SectorFailure>
  /// The name of the system that scanned it: `local` for this process's own, `nil` if none did.
  public let system: String?
  /// How many attempts at it were begun.
  public let attempts: Int
  /// How long the last scan of it took, in seconds.
  public let seconds: Double

  init(_ failure: SectorFailure) {
    number = failure.sector
    output = .failure(failure)
    system = nil
    attempts = failure.attempts
    seconds = failure.seconds
  }

  /// - Parameter result: of a job whose results are its scan's outputs.
  init(_ result: SectorResult) {
    guard let output = result.result as? Output else {
      preconditionFailure("\(Output.self) was expected, not \(type(of: result.result))")
    }
    number = result.sector
    self.output = .success(output)
    system = result.system
    attempts = result.attempts
    seconds = result.seconds
  }

  /// The outcome that an event tells of; `nil` if it tells of something else.
  init?(_ event: EngagementEvent) {
    switch event {
    case .completed(let result), .restored(let result): self.init(result)
    case .failed(let failure), .restoredFailure(let failure): self.init(failure)
    default: return nil
    }
  }
}

extension SectorFailure: Error, CustomStringConvertible {
  /// The sector, and the reason of each attempt.
  public var description: String {
    let reasons = failures.map { "on \($0.system): \($0.reason)" }.joined(separator: "; ")
    return "sector \(sector) was given up after \(attempts) attempts: \(reasons)"
  }
}
