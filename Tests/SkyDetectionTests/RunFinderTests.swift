import Testing

@testable import SkyDetection

@Suite struct RunFinderTests {
  @Test func onePixelIsSpreadAsTheMaskIs() {
    var values = [Float](repeating: 0, count: 25)
    values[12] = 16
    #expect(
      smooth(Plane(width: 5, height: 5, values: values)) == [
        0, 0, 0, 0, 0,
        0, 1, 2, 1, 0,
        0, 2, 4, 2, 0,
        0, 1, 2, 1, 0,
        0, 0, 0, 0, 0,
      ])
  }

  @Test func outsideAndBlankPixelsCountZero() {
    #expect(smooth(Plane(width: 2, height: 1, values: [16, .nan])) == [4, 2])
    #expect(smooth(Plane(width: 1, height: 2, values: [16, 32])) == [4 + 4, 2 + 8])
    #expect(smooth(Plane(width: 1, height: 1, values: [16])) == [4])
  }

  private func smooth(_ plane: Plane) -> [Float] {
    var smoother = Smoother(plane)
    var row = [Float](repeating: -1, count: plane.width)
    return (0..<plane.height).flatMap { number in
      smoother.smooth(row: number, into: &row)
      return row
    }
  }

  /// The groups of a picture in which # is bright and ? has no value, as the numbers of their
  /// runs.
  private func groups(_ rows: [String]) -> [[Int]] {
    let width = rows[0].count
    let values: [Float] = rows.joined().map { $0 == "." ? 0 : $0 == "#" ? 1 : .nan }
    let plane = Plane(width: width, height: rows.count, values: values)
    var finder = RunFinder(plane, threshold: 0.5)
    for (number, row) in rows.enumerated() {
      finder.take(
        row: number, smoothed: row.map { $0 == "." ? 0 : 1 },
        limits: [Float](repeating: 0.5, count: width))
    }
    var groups: [Int: [Int]] = [:]
    for run in finder.runs.indices { groups[finder.root(of: run), default: []].append(run) }
    return groups.sorted { $0.key < $1.key }.map(\.value)
  }

  @Test func cornersJoin() {
    #expect(groups(["#...", ".#..", "..#."]) == [[0, 1, 2]])
    #expect(groups(["..#.", ".#..", "#..."]) == [[0, 1, 2]])
  }

  @Test func aGapSeparates() {
    #expect(groups(["#..#", "#..#", ".#.#"]) == [[0, 2, 4], [1, 3, 5]])
  }

  @Test func twoBranchesThatMeetAreOne() {
    #expect(groups(["#....#", "#....#", "######"]) == [[0, 1, 2, 3, 4]])
    // The second branch reaches the first only by way of the bottom and the third.
    #expect(groups(["#.#.#", "#.#.#", "#.###", "###.."]).count == 1)
  }

  @Test func longRowsAreLookedThroughToTheirEnds() {
    let row =
      "#" + String(repeating: ".", count: 40) + "#." + String(repeating: ".", count: 13) + "#"
    #expect(groups([row]) == [[0], [1], [2]])
  }

  @Test func blankPixelsAreNeverPartOfASource() {
    #expect(groups(["###?###"]) == [[0], [1]])
  }
}
