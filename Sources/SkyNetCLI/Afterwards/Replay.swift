import Foundation
import SkyNetCluster
import SkyNetCore
import SkyScan

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
  /// The sector's number within an image of a night.
  var sectorOfPart: Int?
  /// What the run recorded of the task, as lines.
  var story: [String] = []
  /// The output that the run recorded, as JSON with sorted keys.
  var recorded: Data?

  /// The scans that this program knows.
  static let registry = ScanRegistry(SkyNet.workloads.all.flatMap { $0.scans })

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

/// Why a sector cannot be run again.
enum ReplayError: Error, CustomStringConvertible {
  case noSector(String)
  case saved(String)
  case noSettings(String)
  case unknownKind(String, String)
  case noSuchSector(String, Int, of: Int)
  case noImageOfSector(String, Int)
  case notChosen(String, Int)
  case notOpened(String, String)
  case noSuchTask(String, TaskID, missing: Int)
  case impossibleSettings(String, String)
  case otherImage(String, differences: String)
  case otherBackground(String)
  case noImage(String, option: String)
  case impossibleOutput(String, Int, String)
  case notSaved(String, String)

  var description: String {
    switch self {
    case .noSector(let file):
      "\(file): which sector? Give --sector N; `skynet runs \(file)` lists those that failed"
    case .saved(let file):
      "\(file) holds one sector, with its settings and pixels: leave --sector, --pass, --attempt, --image, "
        + "--weight and --background-file out"
    case .noSettings(let file):
      "\(file): it does not hold the settings of its run, as an earlier version made it, or another "
        + "program: start the run's command once more, which records them, and then try again"
    case .unknownKind(let file, let kind):
      "\(file): it is of scans of kind \(kind), which this program does not know: replay it with the "
        + "version that made it"
    case .noSuchSector(let file, let sector, let count):
      "\(file): there is no sector \(sector); the run has sectors 0 to \(count - 1)"
    case .noImageOfSector(let file, let sector):
      "\(file): sector \(sector) belongs to no image of the run; the sectors of an image that was changed get "
        + "other numbers when it is scanned anew: `skynet runs \(file)` lists those that failed"
    case .notChosen(let file, let sector):
      "\(file): the run did not choose sector \(sector): `skynet runs \(file)` prints those that it did"
    case .notOpened(let file, let image):
      "\(file): it does not hold the settings of \(image), which could not be opened: `skynet runs "
        + "\(file)` says why"
    case .noSuchTask(let file, let task, let missing) where missing > 0:
      "\(file): pass \(task.pass) of sector \(task.sector) needs the outputs of earlier passes, and "
        + "\(missing) of them are not there: finish the run first, or give another --pass"
    case .noSuchTask(let file, let task, _):
      "\(file): sector \(task.sector) has no pass \(task.pass): give another --pass"
    case .impossibleSettings(let file, let reason):
      "\(file): the settings that it holds cannot be used (\(reason))"
    case .otherImage(let path, let differences):
      "\(path) is not what the run scanned (\(differences)): name the same file with --image FILE, and "
        + "its weights with --weight FILE"
    case .otherBackground(let path):
      "\(path) is not the background over which the run scanned: name that one with --background-file FILE"
    case .noImage(let reason, let option):
      "\(reason); if the file is elsewhere, name it with --\(option) FILE"
    case .impossibleOutput(let file, let sector, let reason):
      "\(file): the output of sector \(sector) cannot be (\(reason))"
    case .notSaved(let file, let fault):
      "\(file): it cannot be replayed (\(fault)): make it again with `skynet replay JOURNAL --sector N "
        + "--save FILE`"
    }
  }
}
