import Foundation
import SkyNetCore
import Testing

@testable import SkyDetection

/// Inputs that odd images can cause.
@Suite("Odd inputs of the detection")
struct OddInputTests {
  @Test(
    "A source with tiny values is measured",
    arguments: [4, 2048])
  func tinySource(maximumExtent: Int) throws {
    var random = SplitMix64(seed: 1)
    var values = (0..<64 * 64).map { _ in Float(1e-11 * random.nextNormal()) }
    for row in 20..<30 {
      for column in 20..<30 { values[row * 64 + column] += 1e-9 }
    }
    var settings = DetectionSettings()
    (settings.maximumExtent, settings.threshold) = (maximumExtent, 10)
    let sources = try SourceDetector(settings).sources(in: values, width: 64, height: 64)
    #expect(sources.count == 1)
    #expect(abs(try #require(sources.first).x - 25.5) < 0.1)
  }

  /// SExtractor keeps 1024 sets of pixels above a level. Of noise on a pedestal, all of which is one component, so many
  /// rise above some level if the image is large enough.
  @Test("A component with too many parts is one source, and flagged", arguments: [true, false])
  func overfull(isCleaned: Bool) throws {
    for (side, isOverfull) in [(100, false), (300, true)] {
      var random = SplitMix64(seed: 3)
      let values = (0..<side * side).map { _ in Float(30 + 5 * random.nextNormal()) }
      var settings = DetectionSettings()
      settings.backgroundLevel = 0
      settings.kron = DetectionSettings.Kron()
      if isCleaned { settings.cleaning = 1 }
      let sources = try SourceDetector(settings).sources(in: values, width: side, height: side)
      #expect(sources.count == 1)
      let source = try #require(sources.first)
      #expect(source.flags.contains(.notDeblended) == isOverfull)
      #expect(source.flags.contains(.truncated) && !source.flags.contains(.blended))
      #expect(try #require(source.kron).flux > 20 * Double(side * side))
    }
  }

  @Test(
    "The power of a root is the original number",
    arguments: [3, 31, 32, 33, 39, 51, 63], [1, 1.5, 1e4, 1e10])
  func roots(degree: Int, power: Double) {
    let found = root(of: power, degree: degree)
    #expect(abs(pow(found, Double(degree)) - power) < 1e-9 * power)
  }

  @Test("Empty meshes get the mean of the nearest meshes")
  func gaps() throws {
    var meshes = MeshEstimates(columns: 5, rows: 4)
    func put(_ column: Int, _ row: Int, _ level: Double) {
      meshes.values[row * 5 + column] = MeshSky(level: level, noise: 1)
    }
    put(0, 0, 10)
    put(2, 0, 20)
    put(4, 3, 40)
    let levels = MeshGrid(
      columns: 5, rows: 4, values: meshes.filled.values.map { $0?.level ?? .nan })
    // A mesh with both at the same distance; one with a nearest mesh; another with both at the same
    // distance.
    #expect(levels[1, 0] == 15 && levels[3, 0] == 20 && levels[1, 1] == 15)
    #expect(levels[4, 2] == 40 && levels[2, 1] == 20 && levels[0, 3] == 10)
  }
}
