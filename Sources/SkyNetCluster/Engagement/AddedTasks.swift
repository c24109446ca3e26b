import SkyNetCore

/// The tasks and parts that a job has added, of which there is each once.
///
/// Whoever writes a job numbers its sectors. A number that comes twice would be scanned and counted twice, so the run
/// ends with an error instead. The memory grows with the number of gaps, and not of tasks.
struct AddedTasks {
  /// The most sectors, and passes, that a job may number. The run keeps a bit for each sector that has ended: 8 GiB of so
  /// many.
  private static let most = (sectors: 1 << 36, passes: 1 << 22)

  private var sectorsByPass: [Int: RangeSet<Int>] = [:]
  private var partNumbers = RangeSet<Int>()

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
      sectorsByPass[range.pass, default: RangeSet()].insert(contentsOf: range.sectors)
    }
  }

  private func firstKnown(of range: TaskRange) -> Int? {
    guard let known = sectorsByPass[range.pass], let end = known.ranges.last?.upperBound,
      range.sectors.lowerBound < end
    else { return nil }
    return range.sectors.first(where: known.contains)
  }

  /// - Parameter ledger: knows the sectors that the run has by now.
  /// - Throws: ``EngagementError/impossibleTask(_:reason:)``.
  mutating func add(_ part: JobPart, to ledger: RunLedger) throws(EngagementError) {
    let first = TaskID(sector: part.sectors.lowerBound)
    guard part.number >= 0, part.number < .max else {
      throw .impossibleTask(
        first, reason: "its part has the number \(part.number), and parts are numbered from 0")
    }
    guard !partNumbers.contains(part.number) else {
      throw .impossibleTask(
        first, reason: "its part has the number \(part.number), as another part has")
    }
    try Self.check(part.sectors)
    guard !ledger.hasAny(of: part.sectors) else {
      throw .impossibleTask(first, reason: "its part, \(part.name), has sectors of another part")
    }
    partNumbers.insert(contentsOf: part.number..<part.number + 1)
  }

  private static func check(_ sectors: Range<Int>) throws(EngagementError) {
    guard sectors.lowerBound >= 0, sectors.upperBound <= most.sectors else {
      let wrong = sectors.lowerBound < 0 ? sectors.lowerBound : sectors.upperBound - 1
      throw .impossibleTask(
        TaskID(sector: wrong), reason: "sectors are numbered from 0 to \(most.sectors - 1)")
    }
  }
}
