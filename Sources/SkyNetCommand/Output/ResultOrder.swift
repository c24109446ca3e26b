/// Brings the lines of results into the order of their sectors: the parts of a growing job in the order in which it has
/// added them, and in each the sectors by their numbers.
struct ResultOrder<Line> {
  /// The sectors that have no line yet or wait for others, in order.
  private var expected: ArraySlice<Range<Int>> = []
  /// The lines that wait.
  private var waiting: [Int: Line] = [:]

  /// Sectors that come after all that were expected before.
  mutating func expect(_ sectors: Range<Int>) {
    if !sectors.isEmpty { expected.append(sectors) }
  }

  /// Takes a sector's line, and returns those that can be written now.
  mutating func lines(after line: Line, of sector: Int) -> [Line] {
    waiting[sector] = line
    var ready: [Line] = []
    while let first = expected.first, let next = waiting.removeValue(forKey: first.lowerBound) {
      ready.append(next)
      expected.removeFirst()
      let left = first.dropFirst()
      if !left.isEmpty { expected.insert(left, at: expected.startIndex) }
    }
    return ready
  }

  /// The lines that wait, in order.
  mutating func rest() -> [Line] {
    defer {
      waiting = [:]
      expected = []
    }
    let sectors = waiting.keys.sorted()
    return sectors.compactMap { waiting[$0] }
  }
}
