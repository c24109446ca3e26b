import BitCollections
import SkyNetCore

/// The tasks and parts that a job has added, of which there is each once: a bit for each task.
///
/// Whoever writes a job numbers its sectors. A number that comes twice would be scanned and counted twice, so the run
/// ends with an error instead.
struct AddedTasks {
  /// The most sectors, and passes, that a job may number. The bits of so many sectors take 256 MiB.
  private static let most = (sectors: 1 << 31, passes: 1 << 22)

  private var sectorsByPass: [Int: BitSet] = [:]
  private var partNumbers = BitSet()
  private var partSectors = BitSet()

  /// - Throws: ``EngagementError/impossibleTask(_:reason:)``.
  mutating func add(_ tasks: [TaskRange]) throws(EngagementError) {
    for range in tasks where !range.sectors.isEmpty {
      let first = TaskID(pass: range.pass, sector: range.sectors.lowerBound)
      guard (0..<Self.most.passes).contains(range.pass) else {
        throw .impossibleTask(
          first, reason: "passes are numbered from 0 to \(Self.most.passes - 1)")
      }
      try Self.check(range.sectors)
      if let twice = firstKnown(of: range) {
        throw .impossibleTask(
          TaskID(pass: range.pass, sector: twice), reason: "the job has added it before")
      }
      sectorsByPass[range.pass, default: BitSet()].formUnion(range.sectors)
    }
  }

  private func firstKnown(of range: TaskRange) -> Int? {
    guard let known = sectorsByPass[range.pass], !known.isDisjoint(with: range.sectors) else {
      return nil
    }
    return range.sectors.first(where: known.contains)
  }

  /// - Throws: ``EngagementError/impossibleTask(_:reason:)``.
  mutating func add(_ part: JobPart) throws(EngagementError) {
    try Self.check(part.sectors)
    let first = TaskID(sector: part.sectors.lowerBound)
    guard part.number >= 0, part.number < Self.most.sectors,
      partNumbers.insert(part.number).inserted
    else {
      throw .impossibleTask(
        first,
        reason:
          "its part has the number \(part.number), which another part has, or no part can have")
    }
    guard partSectors.isDisjoint(with: part.sectors) else {
      throw .impossibleTask(first, reason: "its part, \(part.name), has sectors of another part")
    }
    partSectors.formUnion(part.sectors)
  }

  private static func check(_ sectors: Range<Int>) throws(EngagementError) {
    guard sectors.lowerBound >= 0, sectors.upperBound <= most.sectors else {
      let wrong = sectors.lowerBound < 0 ? sectors.lowerBound : sectors.upperBound - 1
      throw .impossibleTask(
        TaskID(sector: wrong), reason: "sectors are numbered from 0 to \(most.sectors - 1)")
    }
  }
}
