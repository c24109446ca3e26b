/// The order in which SExtractor lists a component's pixels, on which its cleaning depends (`scan.c`
/// and `lutz.c` in its source, after Lutz 1980, Comput. J. 23, 262).
///
/// Pixels are listed row by row, but where a run begins before the runs of the row above that it
/// touches, its first pixels come before theirs: parts of a component are joined where a run first
/// touches them.
struct ScanOrder {
  /// Adjacent pixels in one row, and the part of the component that they belong to.
  private struct Run {
    let columns: ClosedRange<Int32>
    let part: Int
    /// Whether the part has no run before this one in the row.
    var isFirst = true
  }

  /// The pixel that follows each pixel in its part's list; -1 after the last one.
  private var following: [Int32]
  /// The first and the last pixel of each part.
  private var ends: [(first: Int32, last: Int32)?] = []
  /// The part that each part was joined to; itself, if to none.
  private var parents: [Int] = []
  /// The runs of the row before the current one, and how many of them lie before the current run.
  private var above: [Run] = []
  private var passed = 0

  /// Some pixels of a component in SExtractor's order.
  ///
  /// - Parameter pixels: connected pixels, in ascending order.
  static func order(of pixels: [Int32], in component: Component) -> [Int32] {
    var scan = ScanOrder(following: [Int32](repeating: -1, count: component.area))
    scan.take(pixels, component)
    guard let last = scan.above.last, var next = scan.ends[scan.root(of: last.part)]?.first else {
      return []
    }
    var ordered: [Int32] = []
    ordered.reserveCapacity(pixels.count)
    while next >= 0 {
      ordered.append(next)
      next = scan.following[Int(next)]
    }
    return ordered
  }

  private init(following: [Int32]) { self.following = following }

  private mutating func take(_ pixels: [Int32], _ component: Component) {
    var runs: [Run] = []
    var (start, row) = (0, pixels.first.map { component.y[Int($0)] })
    while start < pixels.count {
      let first = Int(pixels[start])
      if component.y[first] != row {
        begin(after: runs)
        (runs, row) = ([], component.y[first])
      }
      var end = start + 1
      while end < pixels.count, component.y[Int(pixels[end])] == row,
        component.x[Int(pixels[end])] == component.x[Int(pixels[end - 1])] + 1
      {
        end += 1
      }
      runs.append(list(pixels[start..<end], from: component.x[first]))
      start = end
    }
    begin(after: runs)
  }

  /// Begins a row after one with these runs.
  private mutating func begin(after runs: [Run]) {
    var parts: Set<Int> = []
    above = runs
    for index in above.indices {
      above[index].isFirst = parts.insert(root(of: above[index].part)).inserted
    }
    passed = 0
  }

  /// Lists a run's pixels, and joins the parts of the row above that it touches.
  private mutating func list(_ pixels: ArraySlice<Int32>, from column: Int32) -> Run {
    let last = column + Int32(pixels.count) - 1
    while passed < above.count, above[passed].columns.upperBound + 1 < column { passed += 1 }
    // The next run above. This run touches it by a corner if it begins one pixel after this one.
    var next = passed
    let part: Int
    if next < above.count, above[next].columns.lowerBound < column {
      part = above[next].part
      next += 1
    } else {
      part = parents.count
      parents.append(part)
      ends.append(nil)
    }
    for (column, pixel) in zip(column..., pixels) {
      if next < above.count, above[next].columns.lowerBound == column {
        join(part, with: above[next])
        next += 1
      }
      append((pixel, pixel), to: root(of: part))
    }
    if next < above.count, above[next].columns.lowerBound == last + 1 {
      join(part, with: above[next])
    }
    return Run(columns: column...last, part: part)
  }

  /// Joins a run of the row above to a part. If the run is not the first one of its own part in that row, that part's
  /// pixels come first.
  private mutating func join(_ part: Int, with run: Run) {
    let (part, other) = (root(of: part), root(of: run.part))
    guard other != part else { return }
    let (front, back) = run.isFirst ? (part, other) : (other, part)
    parents[back] = front
    if let list = ends[back] { append(list, to: front) }
  }

  private mutating func append(_ list: (first: Int32, last: Int32), to part: Int) {
    guard let known = ends[part] else {
      ends[part] = list
      return
    }
    following[Int(known.last)] = list.first
    ends[part] = (known.first, list.last)
  }

  private mutating func root(of part: Int) -> Int {
    var part = part
    while parents[part] != part {
      parents[part] = parents[parents[part]]
      part = parents[part]
    }
    return part
  }
}
