import Foundation
import Testing

@testable import SkyDetection

/// What an odd image can bring.
@Suite struct OddInputTests {
  /// No noise at all, and a source far below what sums count in.
  @Test(arguments: [4, 2048])
  func aSourceNextToNothingIsMeasured(maximumExtent: Int) throws {
    var values = [Float](repeating: 0, count: 64 * 64)
    for row in 20..<30 {
      for column in 20..<30 { values[row * 64 + column] = 1e-9 }
    }
    var settings = DetectionSettings()
    settings.maximumExtent = maximumExtent
    let sources = try SourceDetector(settings).sources(in: values, width: 64, height: 64)
    #expect(sources.count == 1)
    #expect(abs(try #require(sources.first).x - 25.5) < 0.01)
  }

  @Test(arguments: [3, 31, 32, 33, 39, 51, 63], [1, 1.5, 1e4, 1e10])
  func rootsAreRoots(degree: Int, power: Double) {
    let found = root(of: power, degree: degree)
    #expect(abs(pow(found, Double(degree)) - power) < 1e-9 * power)
  }

  @Test func gapsTakeTheMeanOfTheNearest() throws {
    var meshes = MeshEstimates(columns: 5, rows: 4)
    func put(_ column: Int, _ row: Int, _ level: Double) {
      meshes.values[row * 5 + column] = MeshSky(level: level, noise: 1)
    }
    #expect(meshes.filled == nil)
    put(0, 0, 10)
    put(2, 0, 20)
    put(4, 3, 40)
    let levels = try #require(meshes.filled?.map(\.level))
    // Beside both; nearest to one; as far from the first as from the second.
    #expect(levels[1, 0] == 15 && levels[3, 0] == 20 && levels[1, 1] == 15)
    #expect(levels[4, 2] == 40 && levels[2, 1] == 20 && levels[0, 3] == 10)
  }
}
