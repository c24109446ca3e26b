import Testing

@testable import SkyDetection

@Suite("Runs and smoothing")
struct RunFinderTests {
  @Test("One bright pixel is spread like the kernel")
  func onePixel() {
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

  @Test("Pixels outside of the plane and without a value count as zero")
  func outsideAndBlank() {
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

  /// The groups of connected runs in a picture, as the runs' numbers. A # is a bright pixel, and a
  /// ? is one without a value.
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

  @Test("Pixels that touch at a corner are connected")
  func corners() {
    #expect(groups(["#...", ".#..", "..#."]) == [[0, 1, 2]])
    #expect(groups(["..#.", ".#..", "#..."]) == [[0, 1, 2]])
  }

  @Test("Pixels with a gap between them are not connected")
  func gap() {
    #expect(groups(["#..#", "#..#", ".#.#"]) == [[0, 2, 4], [1, 3, 5]])
  }

  @Test("Two branches that meet are one component")
  func branches() {
    #expect(groups(["#....#", "#....#", "######"]) == [[0, 1, 2, 3, 4]])
    // The second branch is connected with the first only through the bottom row and the third
    // branch.
    #expect(groups(["#.#.#", "#.#.#", "#.###", "###.."]).count == 1)
  }

  @Test("Long rows are searched to their ends")
  func longRows() {
    let row =
      "#" + String(repeating: ".", count: 40) + "#." + String(repeating: ".", count: 13) + "#"
    #expect(groups([row]) == [[0], [1], [2]])
  }

  @Test("Pixels without a value are in no source")
  func blankPixels() {
    #expect(groups(["###?###"]) == [[0], [1]])
  }
}
