/// The moments of a run at which something happened to its systems: the latest of them.
package struct CurveMarks: Sendable {
  package enum Kind: String, Hashable, Sendable {
    case joined, left, died
    /// The run goes on with what an earlier process of it did.
    case resumed
  }

  package struct Mark: Hashable, Sendable {
    package let time: Double
    package let kind: Kind
    /// The system's row; `nil` if the mark is about none.
    package let row: Int?

    package init(time: Double, kind: Kind, row: Int?) {
      (self.time, self.kind, self.row) = (time, kind, row)
    }
  }

  /// The most marks that are kept.
  package static let limit = 512

  private var latest: [Mark] = []
  /// How many there were in all.
  package private(set) var count = 0

  package init() {}

  package mutating func add(_ kind: Kind, _ row: Int?, at time: Double) {
    let mark = Mark(time: time, kind: kind, row: row)
    if latest.count < Self.limit {
      latest.append(mark)
    } else {
      latest[count % Self.limit] = mark
    }
    count += 1
  }

  /// The marks after the first `start` and among the first `end`, as far as they are kept.
  package func latest(after start: Int = 0, until end: Int = .max) -> [Mark] {
    let (first, end) = (max(start, count - latest.count), min(end, count))
    guard first < end else { return [] }
    return (first..<end).map { latest[$0 % Self.limit] }
  }
}
