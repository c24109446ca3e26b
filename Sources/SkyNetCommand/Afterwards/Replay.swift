import Foundation
import SkyFiles
import SkyNetCluster
import SkyNetCore

/// One task of a run, ready to be run here.
struct Replay: Sendable {
  /// What the scan came to.
  struct Outcome: Sendable {
    /// The output, or what the scan threw.
    let result: Result<any Codable & Sendable, any Error>
    let seconds: Double
    /// Whether the output is the one that the run recorded; `nil` if there is none, or none was recorded.
    let isSame: Bool?

    /// Whether the scan succeeded, and brought no other output than in the run.
    var isSuccess: Bool { if case .success = result { isSame ?? true } else { false } }
  }

  let task: ScanTask
  /// What was scanned, and the pass's name if it has one.
  var name: String
  var passName: String?
  /// The sector's number within its part, if the job has parts.
  var sectorOfPart: Int?
  /// What the run recorded of the task, as lines.
  var story: [String] = []
  /// The hash of the output that the run recorded.
  var recorded: String?

  /// The scans that this program knows.
  static let registry = ScanRegistry(Program.workloads.all.flatMap { $0.scans })

  /// Scans the sector, as a node would.
  ///
  /// - Throws: `EncodingError` of the output.
  func run() async throws -> Outcome {
    let clock = ContinuousClock()
    let begin = clock.now
    let result: Result<any Codable & Sendable, any Error>
    do {
      result = .success(try await task.scan(with: Self.registry, on: "local"))
    } catch {
      result = .failure(error)
    }
    let seconds = begin.duration(to: clock.now).inSeconds
    var isSame: Bool?
    if case .success(let output) = result, let recorded {
      isSame = try Self.hash(of: output) == recorded
    }
    return Outcome(result: result, seconds: seconds, isSame: isSame)
  }

  /// A hash that is the same for equal outputs.
  static func hash(of output: some Encodable) throws -> String {
    // Of some outputs the run has recorded a part alone.
    if let output = output as? any ShortenedOutput { return output.fingerprint }
    var hash = ContentsHash()
    hash.add(try json(output))
    return hash.text
  }

  /// An output as JSON in which equal outputs are equal texts.
  static func json(_ output: some Encodable) throws -> Data {
    try JSONEncoder.ofValues(isSorted: true).encode(output)
  }
}
