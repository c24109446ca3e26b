/// The components of a plane, in the order of their first pixels.
struct Components {
  let finder: RunFinder
  /// The numbers of the components' runs, component by component.
  private var runs: [Int]
  /// The index in ``runs`` where each component begins.
  private var starts: [Int]

  init(_ finder: consuming RunFinder) {
    var finder = finder
    var numbers = [Int](repeating: 0, count: finder.runs.count)
    var counts: [Int] = []
    for run in finder.runs.indices {
      let root = finder.root(of: run)
      if root == run {
        numbers[run] = counts.count
        counts.append(0)
      } else {
        numbers[run] = numbers[root]
      }
      counts[numbers[run]] += 1
    }
    starts = [0]
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    var places = starts
    runs = numbers
    for (run, number) in numbers.enumerated() {
      runs[places[number]] = run
      places[number] += 1
    }
    self.finder = finder
  }

  var count: Int { starts.count - 1 }

  /// A component's runs, row by row.
  subscript(number: Int) -> some Sequence<Run> {
    runs[starts[number]..<starts[number + 1]].lazy.map { finder.runs[$0] }
  }

  /// A component's first pixel in the plane.
  func first(of number: Int) -> (column: Int, row: Int) {
    let run = finder.runs[runs[starts[number]]]
    return (run.columns.lowerBound, run.row)
  }

  /// A component's last pixel in the plane, in row order.
  func last(of number: Int) -> (column: Int, row: Int) {
    let run = finder.runs[runs[starts[number + 1] - 1]]
    return (run.columns.upperBound - 1, run.row)
  }

  /// The smallest rectangle of the plane that holds a component, and the number of its pixels.
  func extent(of number: Int) -> (box: PixelBox, area: Int) {
    var (first, last) = (Int.max, 0)
    var (top, bottom) = (Int.max, 0)
    var area = 0
    for run in self[number] {
      first = min(first, run.columns.lowerBound)
      last = max(last, run.columns.upperBound)
      top = min(top, run.row)
      bottom = max(bottom, run.row + 1)
      area += run.columns.count
    }
    return (PixelBox(columns: first..<last, rows: top..<bottom), area)
  }
}
