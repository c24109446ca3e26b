import Foundation
import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("Weights")
struct WeightTests {
  private let side = 256

  /// A sky of 100 whose noise is 1 on the left and 3 on the right, and a star on either side.
  private func field() -> [Float] {
    var random = SplitMix64(seed: 7)
    return (0..<side * side).map { index in
      let (column, row) = (index % side, index / side)
      var value = 100 + random.nextNormal() * (column < side / 2 ? 1 : 3)
      for x in [64.0, 192] {
        let (dx, dy) = (Double(column) - x, Double(row) - 128)
        value += 60 * exp(-(dx * dx + dy * dy) / 8)
      }
      return Float(value)
    }
  }

  private func sources(
    _ values: [Float], weights: [Float]?, _ change: (inout DetectionSettings) -> Void = { _ in }
  ) throws -> [Source] {
    var settings = DetectionSettings()
    change(&settings)
    return try SourceDetector(settings).sources(
      in: values, width: side, height: side, weights: weights)
  }

  private func weights(_ left: Float, _ right: Float) -> [Float] {
    (0..<side * side).map { $0 % side < side / 2 ? left : right }
  }

  @Test("Equal weights change nothing")
  func equalWeights() throws {
    var plain = try sources(field(), weights: nil)
    let weighted = try sources(field(), weights: weights(1, 1))
    #expect(weighted == plain)
    // Only proportions of weights matter; the noise is the same except for rounding.
    let scaled = try sources(field(), weights: weights(400, 400))
    #expect(scaled.count == plain.count)
    for (index, source) in scaled.enumerated() {
      #expect(abs(source.variance - plain[index].variance) < 1e-5 * source.variance)
      plain[index].variance = source.variance
    }
    #expect(scaled == plain)
  }

  /// Without weights, noise on the noisy side is over the threshold in many places.
  @Test("The threshold follows the noise")
  func thresholds() throws {
    let plain = try sources(field(), weights: nil) { $0.threshold = 3 }
    let weighted = try sources(field(), weights: weights(9, 1)) { $0.threshold = 3 }
    #expect(weighted.count == 2)
    let (quiet, noisy) = (weighted.filter { $0.x < 128 }, weighted.filter { $0.x > 128 })
    #expect(quiet.count == 1 && noisy.count == 1)
    #expect(noisy[0].area < quiet[0].area)
    #expect(abs(quiet[0].variance / Double(quiet[0].area) - 1) < 0.2)
    #expect(abs(noisy[0].variance / Double(noisy[0].area) - 9) < 2)
    #expect(plain.count >= 2)
  }

  /// On the right, the variance is nine times as large, so that the gain is a ninth of that on the left.
  @Test("Where weights scale the gain, photons count by the pixels' variances")
  func gain() throws {
    func star(_ side: Int, _ scalesGain: Bool, gain: Double) throws -> Source {
      try sources(field(), weights: weights(9, 1)) { settings in
        (settings.threshold, settings.gain, settings.scalesGain) = (3, gain, scalesGain)
      }.filter { ($0.x < 128) == (side == 0) }[0]
    }
    let noise = try SourceDetector().background(
      of: field(), width: side, height: side, weights: weights(9, 1)
    ).noise
    for side in 0..<2 {
      let sky = try star(side, true, gain: 0)
      #expect(try star(side, false, gain: 2).variance == sky.variance + sky.flux / 2)
      let photons = try star(side, true, gain: 2).variance - sky.variance
      let ratio = sky.variance / Double(sky.area) / (noise * noise)
      // A few pixels at the rim are negative, and do not count.
      #expect(abs(photons / (sky.flux / 2 * ratio) - 1) < 0.05, "\(side): \(photons)")
    }
    // Without weights the gain is the same everywhere.
    let plain = try sources(field(), weights: nil) { $0.gain = 2 }
    #expect(
      try sources(field(), weights: nil) { ($0.gain, $0.scalesGain) = (2, true) } == plain)
  }

  /// The mode of variances that differ by orders of magnitude may be below 0, which no variance is.
  @Test(
    "A mesh's variance is positive, whatever the range of its weights",
    arguments: [0.1, 1e-6, 1e-10])
  func rangeOfWeights(low: Float) throws {
    let weights = (0..<side * side).map { $0 % 64 < 24 ? low : 1e4 }
    var plane = Plane(width: side, height: side, values: field())
    plane.weigh(by: weights)
    let meshes = try MeshEstimates(of: plane, mesh: 64)
    #expect(meshes.values.allSatisfy { $0?.variance.map { $0 > 0 && $0.isFinite } ?? true })
    #expect(try sources(field(), weights: weights).count > 0)
  }

  @Test("A pixel without a positive, finite weight is masked")
  func noWeight() throws {
    var masked = weights(1, 1)
    for row in 118..<138 {
      for column in 54..<74 { masked[row * side + column] = [0, -1, .nan, .infinity][row % 4] }
    }
    // An infinite weight stands for a variance of zero, which no pixel has.
    let found = try sources(field(), weights: masked) { $0.threshold = 3 }
    #expect(!found.contains { abs($0.x - 65) < 8 && abs($0.y - 129) < 8 && $0.area > 50 })
  }

  @Test("A source with a saturated pixel is flagged")
  func saturation() throws {
    let stars = try sources(field(), weights: nil) { settings in
      settings.threshold = 10
      settings.saturation = 155
    }
    #expect(stars.filter { $0.flags.contains(.saturated) }.count == 2)
    let none = try sources(field(), weights: nil) { settings in
      settings.threshold = 10
      settings.saturation = 1000
    }
    #expect(none.count == 2 && none.allSatisfy { !$0.flags.contains(.saturated) })
  }
}
