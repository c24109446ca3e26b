import Testing

@testable import SkyNetViews

@Suite("A run over its whole time")
struct RunCurveTests {
  private var curve = RunCurve(start: 100)

  /// One scan after the other on a system, each as long as the time until the next.
  private mutating func scan(_ count: Int, on row: Int, each seconds: Double) {
    for _ in 0..<count {
      curve.began(at: curve.end)
      curve.ended(on: row, isDone: true, at: curve.end + seconds)
    }
  }

  @Test("Bins have the busy slots, the tasks by system, and the attempts tried again")
  mutating func bins() {
    curve.began(at: 100)
    curve.began(at: 100.25)
    curve.ended(on: 3, isDone: true, at: 100.5)
    curve.ended(on: 0, isDone: false, at: 100.75)
    curve.retried(at: 100.75)
    curve.advance(to: 101.5)
    #expect(curve.count == 4 && curve.step == 0.5)
    #expect((0..<3).map { curve.busy(in: $0) } == [1.5, 0.5, 0])
    #expect(curve.bin(0).done.isEmpty && curve.bin(1).done == [.init(row: 3, tasks: 1)])
    #expect((0..<3).map { curve.bin($0).retried } == [0, 1, 0])
  }

  @Test("The present bin's slots are those of the time that has passed")
  mutating func present() {
    curve.began(at: 100)
    curve.advance(to: 100.125)
    #expect(curve.count == 1 && curve.busy(in: 0) == 1)
    // A clock that was set back changes nothing.
    curve.advance(to: 90)
    #expect(curve.end == 100.125 && curve.busy(in: 0) == 1)
  }

  @Test("A long run has longer bins, and forgets nothing")
  mutating func long() {
    for row in [5, 2, 5, 9, 0] { scan(300, on: row, each: 1) }
    #expect(curve.step == 4 && curve.count == 376 && curve.doublings == 3)
    let bins = (0..<curve.count).map(curve.bin)
    var tasks: [Int: Int] = [:]
    for share in bins.flatMap(\.done) { tasks[share.row, default: 0] += share.tasks }
    #expect(tasks == [0: 300, 2: 300, 5: 600, 9: 300])
    #expect(bins.allSatisfy { $0.done.map(\.row) == $0.done.map(\.row).sorted() })
    #expect((0..<375).allSatisfy { curve.busy(in: $0) == 1 })
  }

  @Test("A run that waits for a year has no more bins than another")
  mutating func waiting() {
    curve.began(at: 100)
    curve.advance(to: 100 + 365 * 86_400)
    #expect(curve.count <= RunCurve.binLimit && curve.count > RunCurve.binLimit / 2)
    #expect((0..<curve.count).allSatisfy { abs(curve.busy(in: $0) - 1) < 1e-6 })
    curve.advance(to: .infinity)
    #expect(curve.count <= RunCurve.binLimit)
  }

  @Test("A viewer is told the bins that have changed, and all when they have another length")
  mutating func changes() {
    scan(10, on: 1, each: 0.5)
    curve.mark(.joined, 1, at: 100)
    #expect(curve.changes().bins.count == 11 && curve.changes().marks.count == 1)
    let told = curve.cursor
    scan(2, on: 1, each: 0.5)
    var changes = curve.changes(after: told)
    #expect(changes.first == 10 && changes.bins.count == 3 && changes.marks.isEmpty)
    // What is told later than it was cut is told once.
    let cut = curve.cursor
    curve.mark(.died, 1, at: 106)
    #expect(curve.changes(after: told, until: cut).marks.isEmpty)
    #expect(curve.changes(after: cut).marks.map(\.kind) == [.died])
    scan(600, on: 1, each: 0.5)
    changes = curve.changes(after: told)
    #expect(changes.first == 0 && changes.step == 1 && changes.bins.count == curve.count)
  }
}
