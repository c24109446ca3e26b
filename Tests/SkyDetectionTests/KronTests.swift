import Foundation
import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("Kron fluxes")
struct KronTests {
  /// Round stars with a deviation of 2 and a height of 500, on a sky of 100 with noise 1.
  private func field(_ stars: [(x: Double, y: Double)], side: Int = 96) -> [Float] {
    var random = SplitMix64(seed: 5)
    return (0..<side * side).map { index in
      var value = 100 + random.nextNormal()
      for star in stars {
        let (dx, dy) = (Double(index % side + 1) - star.x, Double(index / side + 1) - star.y)
        value += 500 * exp(-(dx * dx + dy * dy) / 8)
      }
      return Float(value)
    }
  }

  private func sources(_ values: [Float], side: Int = 96) throws -> [Source] {
    var settings = DetectionSettings()
    settings.kron = DetectionSettings.Kron()
    return try SourceDetector(settings).sources(in: values, width: side, height: side)
      .filter { $0.area > 20 }
  }

  private let light = 500 * 8 * Double.pi

  @Test("A star's ellipse holds nearly all of its light")
  func ellipse() throws {
    let star = try #require(try sources(field([(40.3, 50.6)])).first)
    let kron = try #require(star.kron)
    #expect(abs(kron.flux - light) < 0.02 * light)
    #expect((3.5...4.5).contains(kron.radius))
    #expect(star.flags == [])
  }

  @Test("A neighbour's pixels are replaced by the opposite ones")
  func neighbours() throws {
    let stars = try sources(field([(40, 50), (50, 50)]))
    #expect(stars.count == 2)
    for star in stars {
      #expect(abs(try #require(star.kron).flux - light) < 0.06 * light)
      #expect(star.flags.contains(.biased))
    }
  }

  @Test("Missing pixels are replaced by the opposite ones")
  func missingPixels() throws {
    var values = field([(40, 50)])
    for row in 40..<60 { values[row * 96 + 45] = .nan }
    let star = try #require(try sources(values).max { $0.area < $1.area })
    #expect(abs(try #require(star.kron).flux - light) < 0.05 * light)
  }
}
