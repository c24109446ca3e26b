import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("Errors of fluxes")
struct FluxErrorTests {
  /// A plain with two stars, far from each other and from the edges.
  private var pixels: [Float] {
    var random = SplitMix64(seed: 7)
    return (0..<128 * 128).map { index in
      let (x, y) = (index % 128, index / 128)
      func star(_ column: Int, _ row: Int) -> Double {
        let square = Double((x - column) * (x - column) + (y - row) * (y - row))
        return 800 * PortableMath.exp(-min(square / 6, 600))
      }
      return Float(100 + random.nextNormal() + star(40, 40) + star(90, 80))
    }
  }

  private func settings(_ gain: Double = 0) -> DetectionSettings {
    var settings = DetectionSettings()
    (settings.threshold, settings.kron, settings.gain) = (5, DetectionSettings.Kron(), gain)
    (settings.apertures, settings.measures) = ([9, 0], [.fluxErrors, .thresholds])
    return settings
  }

  @Test("Noise counts for each pixel, and photons for the flux")
  func variances() throws {
    let background = try SourceDetector(settings()).background(of: pixels, width: 128, height: 128)
    let sky = background.noise * background.noise
    let plain = try SourceDetector(settings()).sources(in: pixels, width: 128, height: 128)
    let counted = try SourceDetector(settings(2)).sources(in: pixels, width: 128, height: 128)
    #expect(plain.count == 2 && counted.count == 2)
    for (plain, counted) in zip(plain, counted) {
      let area = plain.apertureVariances[0] / sky
      #expect(abs(area / (4.5 * 4.5 * Double.pi) - 1) < 0.02)
      #expect(plain.apertureVariances[1] == 0 && plain.apertureVariances.count == 2)
      let photons = counted.apertureVariances[0] - plain.apertureVariances[0]
      #expect(abs(photons / (plain.apertureFluxes[0] / 2) - 1) < 1e-9)
      let (kron, both) = (try #require(plain.kron), try #require(counted.kron))
      let pixels = try #require(kron.variance) / sky
      let ellipse = plain.ellipse.semiMajorAxis * plain.ellipse.semiMinorAxis * Double.pi
      #expect(abs(pixels / (kron.radius * kron.radius * ellipse) - 1) < 0.1)
      let more = try #require(both.variance) - sky * pixels
      #expect(abs(more / (kron.flux / 2) - 1) < 1e-9)
      #expect(plain.thresholds?.detection == Float(5 * background.noise))
      #expect(plain.thresholds?.analysis == Float(5 * background.noise))
    }
  }

  @Test("Errors change no other measure, and are absent unless asked for")
  func others() throws {
    let detailed = try SourceDetector(settings(2)).sources(in: pixels, width: 128, height: 128)
    var usual = settings(2)
    usual.measures = []
    let plain = try SourceDetector(usual).sources(in: pixels, width: 128, height: 128)
    let reduced = detailed.map { source in
      var source = source
      (source.apertureVariances, source.thresholds) = ([], nil)
      source.kron?.variance = nil
      return source
    }
    #expect(reduced == plain)
  }

  @Test("A weighted source has the lowest threshold of its own pixels, not of its component's")
  func thresholds() throws {
    let weights = (0..<128 * 128).map { $0 % 128 < 64 ? Float(1) : 0.25 }
    let found = try SourceDetector(settings()).sources(
      in: pixels, width: 128, height: 128, weights: weights)
    let thresholds = found.compactMap(\.thresholds)
    #expect(thresholds.count == found.count && found.count >= 2)
    let left = try #require(found.first { $0.x < 60 }?.thresholds)
    let right = try #require(found.first { $0.x > 70 }?.thresholds)
    #expect(abs(right.detection / left.detection - 2) < 0.01)
    #expect(abs(right.analysis / left.analysis - 2) < 0.01)
  }
}

@Suite("The level of the background at a source")
struct BackgroundLevelTests {
  @Test("It lies on straight lines between the nodes, and beyond the outer ones")
  func level() {
    let levels = MeshGrid(columns: 3, rows: 2, values: [0, 10, 40, 100, 110, 140])
    let background = Background(levels: levels, noise: 1, mesh: 10)
    // Nodes are at 5, 15 and 25 from 0, so at 6, 16 and 26 from 1.
    #expect(background.level(nearX: 6, y: 6) == 0)
    #expect(background.level(nearX: 16, y: 16) == 110)
    #expect(abs(background.level(nearX: 21, y: 11) - 75) < 1e-9)
    #expect(abs(background.level(nearX: 1, y: 6) + 5) < 1e-9)
    #expect(abs(background.level(nearX: 30, y: 6) - 52) < 1e-9)
    // The place is that of a pixel.
    #expect(background.level(nearX: 16.4, y: 6) == background.level(nearX: 16, y: 6))
    let single = Background(
      levels: MeshGrid(columns: 1, rows: 1, values: [7]), noise: 1, mesh: 10)
    #expect(single.level(nearX: 3, y: 9) == 7)
  }
}
