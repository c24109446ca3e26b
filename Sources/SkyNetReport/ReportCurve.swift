import SkyNetJournal
import SkyNetViews

/// Adds up a run over its whole time, of attempts in any order: the same that viewers of a running one are told.
struct ReportCurve {
  private let start: Double
  /// Seconds from ``start``.
  private let length: Double
  private let step: Double
  private var bins: [RunCurve.Bin]
  /// The tasks that systems did in each bin, by their rows.
  private var done: [[Int: Int]]
  /// How many attempts fill bins whole from a bin on, less those that do so no longer.
  private var whole: [Int]
  private var marks: [CurveMarks.Mark] = []

  init(_ clock: ReportClock) {
    start = clock.origin
    length = Double(clock.length) / 1000
    step = RunCurve.step(of: length)
    let count = Int(length / step) + 1
    bins = Array(repeating: RunCurve.Bin(), count: count)
    done = Array(repeating: [:], count: count)
    whole = Array(repeating: 0, count: count + 1)
  }

  private func bin(at time: Double) -> Int { min(bins.count - 1, Int(max(0, time) / step)) }

  /// Adds an attempt, from its beginning to its end in milliseconds. `row` is that of the system if it did a task.
  mutating func add(from began: Int, to ended: Int, doneBy row: Int? = nil) {
    let (began, ended) = (Double(began) / 1000, Double(max(began, ended)) / 1000)
    let (first, last) = (bin(at: began), bin(at: ended))
    if first == last {
      bins[first].busySeconds += ended - began
    } else {
      bins[first].busySeconds += Double(first + 1) * step - began
      bins[last].busySeconds += ended - Double(last) * step
      whole[first + 1] += 1
      whole[last] -= 1
    }
    if let row { done[last][row, default: 0] += 1 }
  }

  /// Adds an attempt that was tried again, by its end.
  mutating func retried(at time: Int) { bins[bin(at: Double(time) / 1000)].retried += 1 }

  mutating func mark(_ kind: CurveMarks.Kind, _ row: Int? = nil, at time: Int) {
    marks.append(.init(time: start + Double(time) / 1000, kind: kind, row: row))
  }

  /// The curve of all that was added.
  var curve: RunCurve {
    var (bins, running, marks) = (bins, 0, CurveMarks())
    for index in bins.indices {
      running += whole[index]
      bins[index].busySeconds += Double(running) * step
      bins[index].add(
        done[index].sorted { $0.key < $1.key }.map { .init(row: $0.key, tasks: $0.value) })
    }
    for mark in self.marks.sorted(by: { $0.time < $1.time }) {
      marks.add(mark.kind, mark.row, at: mark.time)
    }
    return RunCurve(start: start, end: start + length, step: step, bins: bins, marks: marks)
  }
}

extension ReportCurve {
  /// Marks when systems came and went, and when later processes of the run began.
  ///
  /// - Parameter rows: the systems' rows by the journal's numbers.
  mutating func mark(
    _ changes: [RunHistory.Change], rows: [Int: Int], local: Int?, _ clock: ReportClock
  ) {
    for span in clock.spans.dropFirst() { mark(.resumed, at: span.span.began) }
    var leaving: Set<Int> = []
    for change in changes {
      guard let row = rows[change.system], row != local else { continue }
      switch change.word {
      case "connected":
        leaving.remove(row)
        mark(.joined, row, at: clock.time(change.at))
      case "leaving": leaving.insert(row)
      case "serving": leaving.remove(row)
      case "disconnected":
        mark(leaving.remove(row) == nil ? .died : .left, row, at: clock.time(change.at))
      default: break
      }
    }
  }
}
