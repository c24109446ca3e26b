package import SkyNetCore

/// An image of a night, open for its scan.
package struct NightImage: Sendable {
  /// The scan of the image alone.
  package var job: ImageJob
  /// The number of the image's first sector in the night.
  package let firstSector: Int
  /// Whether all passes of the image run in one task.
  package let isOneTask: Bool
  /// A number that images with the same settings have in common.
  let settingsGroup: Int
  /// The number of sources of each sector that has its result.
  package private(set) var counts: [Int: Int] = [:]
  /// The first reason why a sector was given up; `nil` if none was.
  package private(set) var failure: String?

  init(_ job: ImageJob, firstSector: Int, inOneTask: Bool, settingsGroup: Int) {
    self.job = job
    self.firstSector = firstSector
    self.settingsGroup = settingsGroup
    isOneTask = inOneTask && job.isOneSector
  }

  /// The image's task that a task of the night is.
  func local(_ task: TaskID) -> TaskID {
    TaskID(pass: task.pass, sector: task.sector - firstSector)
  }

  /// The night's tasks that tasks of the image are.
  func global(_ ranges: [TaskRange]) -> [TaskRange] {
    ranges.map { range in
      TaskRange(
        pass: range.pass,
        sectors: range.sectors.lowerBound + firstSector..<range.sectors.upperBound + firstSector)
    }
  }

  var firstTasks: [TaskRange] { global(job.firstTasks(inOneTask: isOneTask)) }

  mutating func receive(
    _ output: SourceScan.Findings, for task: TaskID
  ) throws -> ReceivedResult {
    var received = try job.receive(output, for: local(task))
    received.added = global(received.added)
    if let count = received.result as? Int { counts[task.sector - firstSector] = count }
    return received
  }

  mutating func gaveUp(reason: String) { failure = failure ?? reason }
}

/// An image whose tasks have all ended.
package struct FinishedImage: Sendable {
  package let part: JobPart
  /// The image; `nil` if it could not be opened, or an earlier process finished it.
  package let image: NightImage?
  /// Why the image has no catalogue; `nil` if all of its sectors were scanned.
  package let failure: String?
}
