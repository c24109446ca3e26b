import Foundation
import SkyNetCluster
import SkyNetCore

/// One task of a run, ready to be run here.
struct Replay: Sendable {
  /// What the scan came to.
  struct Outcome: Sendable {
    /// The output, or what the scan threw.
    let result: Result<any Codable & Sendable, any Error>
    let seconds: Double

    var isSuccess: Bool { if case .success = result { true } else { false } }
  }

  let task: ScanTask
  /// What was scanned, and the pass's name if it has one.
  var name: String
  var passName: String?
  /// The sector's number within its part, if the job has parts.
  var sectorOfPart: Int?
  /// What the run recorded of the task, as lines.
  var story: [String] = []
  /// The output that the run recorded, as JSON with sorted keys.
  var recorded: Data?

  /// The scans that this program knows.
  static let registry = ScanRegistry(Program.workloads.all.flatMap { $0.scans })

  /// Scans the sector, as a node would.
  func run() async -> Outcome {
    let clock = ContinuousClock()
    let begin = clock.now
    let result: Result<any Codable & Sendable, any Error>
    do {
      result = .success(try await task.scan(with: Self.registry))
    } catch {
      result = .failure(error)
    }
    return Outcome(result: result, seconds: begin.duration(to: clock.now).inSeconds)
  }

  /// An output as JSON in which equal outputs are equal texts.
  static func json(_ output: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(output)
  }
}
