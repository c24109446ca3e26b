import SkyNetCore
import SkyNetTestKit

/// A job of which an engagement scans some sectors only.
struct ChosenSectorsJob: PartialJob {
  typealias Work = ProbeScan

  let settings = "probed"
  let sectorCount = 100
  let chosenSectors: [Range<Int>]
  private(set) var outputs: [Int: String] = [:]

  init(_ sectors: [Range<Int>]) { chosenSectors = sectors }

  func sector(for task: TaskID) -> Int { task.sector }

  mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    outputs[task.sector] = output
    return ReceivedResult(result: output)
  }
}
