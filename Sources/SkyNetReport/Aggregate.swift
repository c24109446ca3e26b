import SkyNetCore
import SkyNetJournal

extension RunReport {
  /// The course of a run that is too long to tell attempt by attempt: cells of several sectors, and a time
  /// line of each system.
  package struct Aggregate: Sendable {
    package static let bucketLimit = 900
    package static let cellLimit = 65_536
    /// The most cells of all passes together.
    static let allCellsLimit = 131_072
    /// The most passes; those beyond count as the last of these.
    static let passLimit = 8

    /// The cells of a pass. Times are numbers of buckets; -1 is never.
    package struct Cells: Sendable {
      package var began: [Int]
      /// When half of the cell's sectors were done.
      package var middle: [Int]
      /// When the last of the cell's sectors was done or given up.
      package var ended: [Int]
      package var done: [Int]
      package var failed: [Int]
      package var system: [Int]

      init(_ count: Int) {
        began = Array(repeating: -1, count: count)
        (middle, ended, system) = (began, began, began)
        done = Array(repeating: 0, count: count)
        failed = done
      }
    }

    /// What a system's attempts came to, bucket by bucket.
    package struct TimeLine: Sendable {
      package var done: [Int]
      package var failed: [Int]
      package var lost: [Int]
      package var withdrawn: [Int]
      /// Milliseconds of scans.
      package var busy: [Double]

      init(_ count: Int) {
        done = Array(repeating: 0, count: count)
        (failed, lost, withdrawn) = (done, done, done)
        busy = Array(repeating: 0, count: count)
      }
    }

    /// The milliseconds of a bucket, and how many there are.
    package let step: Int
    package let buckets: Int
    package let sectors: Int
    package let sectorsPerCell: Int
    package private(set) var cells: [Cells]
    package let timelineStep: Int
    package let timelineBuckets: Int
    package private(set) var timeline: [TimeLine]
    /// When sectors of the current cell were done.
    private var doneAt: [Int] = []
    private var current = (pass: 0, cell: -1)

    init(sectors: Int, passes: Int, systems: Int, length: Int) {
      self.sectors = sectors
      step = max(1, Self.rounded(length + 1, over: Self.bucketLimit))
      buckets = length / step + 1
      let passes = max(1, min(passes, Self.passLimit))
      sectorsPerCell = max(
        1, Self.rounded(sectors, over: Self.allCellsLimit / passes),
        Self.rounded(sectors, over: Self.cellLimit))
      let count = Self.rounded(sectors, over: sectorsPerCell)
      cells = (0..<passes).map { _ in Cells(count) }
      let most = max(60, min(600, 60_000 / max(1, systems)))
      timelineStep = max(1, Self.rounded(length + 1, over: most))
      timelineBuckets = length / timelineStep + 1
      timeline = Array(repeating: TimeLine(timelineBuckets), count: systems)
    }

    private static func rounded(_ count: Int, over divisor: Int) -> Int {
      count / divisor + (count.isMultiple(of: divisor) ? 0 : 1)
    }

    private func pass(_ task: TaskID) -> Int { min(task.pass, cells.count - 1) }

    private func sectorCount(ofCell cell: Int) -> Int {
      min(sectorsPerCell, sectors - cell * sectorsPerCell)
    }

    /// Counts an attempt's end and its busy time. Attempts without an output are added before the others.
    ///
    /// - Parameter ended: when the attempt, or else its process, ended.
    mutating func add(
      _ ending: RunHistory.Ending, of task: TaskID, on system: Int, began: Int, ended: Int,
      busy: Double
    ) {
      noteBeginning(of: task, at: began)
      let bucket = min(ended / timelineStep, timelineBuckets - 1)
      switch ending {
      case .done: timeline[system].done[bucket] += 1
      case .failed: timeline[system].failed[bucket] += 1
      case .lost: timeline[system].lost[bucket] += 1
      case .withdrawn, .none: timeline[system].withdrawn[bucket] += 1
      }
      spread(busy, endingAt: ended, on: system)
    }

    /// Adds a task that was given up.
    mutating func gaveUp(_ task: TaskID, at time: Int) {
      let (pass, cell) = (pass(task), task.sector / sectorsPerCell)
      cells[pass].failed[cell] += 1
      cells[pass].ended[cell] = max(cells[pass].ended[cell], time / step)
    }

    /// Adds an attempt that brought its task's output; by pass and sector.
    mutating func done(_ task: TaskID, on system: Int, began: Int, ended: Int, busy: Double) {
      add(.done, of: task, on: system, began: began, ended: ended, busy: busy)
      let (pass, cell) = (pass(task), task.sector / sectorsPerCell)
      if (pass, cell) != current {
        endCell()
        current = (pass, cell)
      }
      doneAt.append(ended / step)
      cells[pass].done[cell] += 1
      cells[pass].system[cell] = system
      cells[pass].ended[cell] = max(cells[pass].ended[cell], ended / step)
    }

    /// Ends the last cell. Nothing is added afterwards.
    mutating func finish() {
      endCell()
      for pass in cells.indices {
        for cell in cells[pass].ended.indices
        where cells[pass].done[cell] + cells[pass].failed[cell] < sectorCount(ofCell: cell) {
          cells[pass].ended[cell] = -1
        }
      }
    }

    private mutating func endCell() {
      guard current.cell >= 0 else { return }
      let half = (sectorCount(ofCell: current.cell) + 1) / 2
      if doneAt.count >= half {
        doneAt.sort()
        cells[current.pass].middle[current.cell] = doneAt[half - 1]
      }
      doneAt.removeAll(keepingCapacity: true)
    }

    private mutating func noteBeginning(of task: TaskID, at time: Int) {
      let (pass, cell) = (pass(task), task.sector / sectorsPerCell)
      let (bucket, known) = (time / step, cells[pass].began[cell])
      if known < 0 || bucket < known { cells[pass].began[cell] = bucket }
    }

    /// Adds the milliseconds before a time to the buckets that they lie in.
    private mutating func spread(_ busy: Double, endingAt end: Int, on system: Int) {
      var (rest, bucket) = (busy, min(end / timelineStep, timelineBuckets - 1))
      var room = Double(end - bucket * timelineStep)
      while rest > 0 {
        let part = bucket == 0 ? rest : min(rest, room)
        timeline[system].busy[bucket] += part
        rest -= part
        bucket -= 1
        room = Double(timelineStep)
        if bucket < 0 { break }
      }
    }
  }
}
