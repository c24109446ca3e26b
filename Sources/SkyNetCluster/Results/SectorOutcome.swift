import SkyNetCore

/// How one sector of an engagement ended.
public struct SectorOutcome<Output: Sendable>: Sendable {
  /// The sector's number: its index among the given sectors, from 0.
  public let number: Int
  /// The output of the scan, or why the sector was given up.
  public let output: Result<Output, SectorFailure>
  /// The name of the system that scanned the sector; `local` for this process's own, `nil` if no system did.
  public let system: String?
  /// How many attempts at the sector were begun.
  public let attempts: Int
  /// How long the last scan of the sector ran, in seconds.
  public let seconds: Double

  /// The outcome that an event of a job whose results are its scan's outputs reports; `nil` if the event is not about
  /// an outcome.
  init?(_ event: EngagementEvent) {
    switch event {
    case .completed(let result), .restored(let result):
      guard let output = result.result as? Output else {
        // The results of a `SectorsJob` are its scan's outputs.
        preconditionFailure("\(Output.self) was expected, not \(type(of: result.result))")
      }
      number = result.sector
      self.output = .success(output)
      system = result.system
      attempts = result.attempts
      seconds = result.seconds
    case .failed(let failure), .restoredFailure(let failure):
      number = failure.sector
      output = .failure(failure)
      system = nil
      attempts = failure.attempts
      seconds = failure.seconds
    default: return nil
    }
  }
}

extension SectorFailure: Error, CustomStringConvertible {
  /// The sector, and why each attempt failed.
  public var description: String {
    let reasons = failures.map { "on \($0.system): \($0.reason)" }.joined(separator: "; ")
    return "sector \(sector) was given up after \(attempts) attempts: \(reasons)"
  }
}
