/// A job whose engagement scans some of its sectors only, such as a share, while others scan the rest. The sectors keep
/// the numbers that they have among all.
package protocol PartialJob: Job {
  /// The sectors to scan: ranges that do not overlap, all below ``Job/sectorCount``.
  var chosenSectors: [Range<Int>] { get }
}

extension Job {
  /// The tasks that the job begins with: the first pass over all of its sectors, or over the chosen ones.
  package var firstTasks: [TaskRange] {
    let sectors = (self as? any PartialJob)?.chosenSectors ?? [0..<sectorCount]
    return sectors.filter { !$0.isEmpty }.map { TaskRange(sectors: $0) }
  }
}
