/// The parts of a growing job: how many there are, what has become of them, and how much work one takes.
package struct PartProgress: Sendable {
  private struct OpenPart {
    let part: JobPart
    /// The work of its tasks that this process has seen done, in seconds.
    var work = 0.0
    var hasFailed = false
  }

  package private(set) var begun = 0
  /// How many parts have no task left.
  package private(set) var ended = 0
  /// How many of the ended parts have a failed sector.
  package private(set) var failed = 0
  /// How many parts there will be, as far as that is known.
  package private(set) var expected: Int?
  /// Those that have begun and not ended; few at a time.
  private var open: [OpenPart] = []
  /// The ended parts that took work in this process, and that work. Others tell nothing of those to come.
  private var measured = (parts: 0, work: 0.0)

  /// The parts that have begun and not ended, in that order.
  package var openParts: [JobPart] { open.map(\.part) }
  /// How many parts there will be, or are known by now.
  package var total: Int { max(begun, expected ?? 0) }
  /// Whether all parts that are expected have ended.
  package var isComplete: Bool { ended >= expected ?? begun }
  /// How many parts are still to come, as far as that is known.
  var toCome: Int { total - begun }

  /// The mean work of a part, in seconds; `nil` until one has ended that took work.
  var meanWork: Double? {
    measured.parts > 0 ? measured.work / Double(measured.parts) : nil
  }

  /// The work that is left of the parts that have begun, where each part takes the mean.
  func workLeft(mean: Double) -> Double {
    open.reduce(0) { $0 + max(0, mean - $1.work) }
  }

  mutating func began(_ part: JobPart, expected: Int?) {
    begun += 1
    self.expected = expected
    open.append(OpenPart(part: part))
  }

  mutating func worked(_ seconds: Double, on sector: Int) {
    if let index = index(of: sector) { open[index].work += seconds }
  }

  mutating func failed(_ sector: Int) {
    if let index = index(of: sector) { open[index].hasFailed = true }
  }

  /// Whether a sector of an open part has failed.
  package func hasFailed(_ part: JobPart) -> Bool {
    open.contains { $0.part.number == part.number && $0.hasFailed }
  }

  mutating func ended(_ part: JobPart) {
    guard let index = open.firstIndex(where: { $0.part.number == part.number }) else { return }
    let last = open.remove(at: index)
    ended += 1
    if last.hasFailed { failed += 1 }
    if last.work > 0, !last.hasFailed {
      measured.parts += 1
      measured.work += last.work
    }
  }

  private func index(of sector: Int) -> Int? {
    open.firstIndex { $0.part.sectors.contains(sector) }
  }
}
