import Testing

@testable import SkyNetCore

@Suite("Ranges of tasks")
struct TaskRangeTests {
  private func runs(_ sectors: [Int], pass: Int = 0) -> TaskRuns {
    var runs = TaskRuns()
    for sector in sectors { runs.append(TaskID(pass: pass, sector: sector)) }
    return runs
  }

  @Test("Consecutive tasks form one run, and a gap starts a new one")
  func append() {
    var runs = runs([0, 1, 2, 5, 6])
    runs.append(TaskID(pass: 1, sector: 7))
    let expected = [
      TaskRange(sectors: 0..<3), TaskRange(sectors: 5..<7), TaskRange(pass: 1, sectors: 7..<8),
    ]
    #expect(runs.runs == expected)
  }

  @Test(
    "Subtracting finished tasks leaves the others",
    arguments: [
      ([], [3..<9]), ([3, 8], [4..<8]), ([5], [3..<5, 6..<9]), ([0, 1, 2, 9, 10], [3..<9]),
      ([2, 3, 4], [5..<9]), ([8, 9], [3..<8]), ([3, 4, 5, 6, 7, 8], []),
      (Array(0..<20), []), ([4, 6, 8], [3..<4, 5..<6, 7..<8]),
    ])
  func subtracting(done: [Int], left: [Range<Int>]) {
    let ranges = [TaskRange(sectors: 3..<9)]
    #expect(ranges.subtracting(runs(done)) == left.map { TaskRange(sectors: $0) })
  }

  @Test("Ranges keep their order, and other passes stay whole")
  func order() {
    let ranges = [
      TaskRange(pass: 1, sectors: 0..<4), TaskRange(sectors: 8..<10), TaskRange(sectors: 0..<4),
    ]
    let left = [
      TaskRange(pass: 1, sectors: 0..<4), TaskRange(sectors: 9..<10), TaskRange(sectors: 0..<1),
      TaskRange(sectors: 3..<4),
    ]
    #expect(ranges.subtracting(runs([1, 2, 8])) == left)
  }

  @Test("Empty ranges, and tasks outside all ranges, change nothing")
  func nothing() {
    #expect([TaskRange(sectors: 5..<5)].subtracting(runs([5])) == [])
    #expect([TaskRange]().subtracting(runs([5])) == [])
    let range = TaskRange(pass: 2, sectors: 0..<9)
    #expect([range].subtracting(runs([0, 4, 8], pass: 1)) == [range])
  }
}
