/// Tasks that a job adds at once: one pass over a range of sectors.
public struct TaskRange: Hashable, Sendable {
  /// The pass, from 0.
  public let pass: Int
  /// The numbers of the sectors, each of which has one task.
  public let sectors: Range<Int>

  /// Makes one task for each of these sectors, by default in the first pass.
  public init(pass: Int = 0, sectors: Range<Int>) {
    self.pass = pass
    self.sectors = sectors
  }

  var tasks: some Sequence<TaskID> { sectors.lazy.map { TaskID(pass: pass, sector: $0) } }
}

/// A set of tasks, added in order, or put in order afterwards. Its memory grows with the number of gaps, and not of tasks.
package struct TaskRuns: Sendable {
  package private(set) var runs: [TaskRange] = []

  /// - Parameter tasks: in order.
  package init(_ tasks: [TaskID] = []) {
    for task in tasks { append(task) }
  }

  /// Adds a task that comes after all that were added before, or that ``sort()`` is to put in its place.
  package mutating func append(_ task: TaskID) {
    if let last = runs.last, last.pass == task.pass, last.sectors.upperBound == task.sector {
      runs[runs.count - 1] = TaskRange(
        pass: last.pass, sectors: last.sectors.lowerBound..<task.sector + 1)
    } else {
      runs.append(TaskRange(pass: task.pass, sectors: task.sector..<task.sector + 1))
    }
  }

  package mutating func sort() {
    runs.sort { ($0.pass, $0.sectors.lowerBound) < ($1.pass, $1.sectors.lowerBound) }
  }
}

extension [TaskRange] {
  /// These ranges, in their order, without some tasks.
  package func subtracting(_ tasks: TaskRuns) -> [TaskRange] {
    flatMap { $0.subtracting(tasks.runs) }
  }
}

extension TaskRange {
  fileprivate func subtracting(_ runs: [TaskRange]) -> [TaskRange] {
    // A binary search for the first run that ends behind the start of this range.
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      let run = runs[middle]
      if (run.pass, run.sectors.upperBound) <= (pass, sectors.lowerBound) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let taken = runs[low...].prefix {
      $0.pass == pass && $0.sectors.lowerBound < sectors.upperBound
    }.map(\.sectors)
    // What is left lies before, between and behind these runs.
    let begins = [sectors.lowerBound] + taken.map(\.upperBound)
    let ends = taken.map(\.lowerBound) + [sectors.upperBound]
    return zip(begins, ends).filter { $0 < $1 }.map { TaskRange(pass: pass, sectors: $0..<$1) }
  }
}
