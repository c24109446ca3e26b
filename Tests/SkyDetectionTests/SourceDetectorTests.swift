import Foundation
import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("The source detector")
struct SourceDetectorTests {
  private func sources(
    _ values: [Float], width: Int = 64, height: Int = 64,
    _ change: (inout DetectionSettings) -> Void = { _ in }
  ) throws -> [Source] {
    var settings = DetectionSettings()
    change(&settings)
    return try SourceDetector(settings).sources(in: values, width: width, height: height)
  }

  /// Noise about 100 with a deviation of 1, and one star with its centre at column 20, row 30 from
  /// 0.
  private func starField(width: Int = 64, height: Int = 64) -> [Float] {
    var random = SplitMix64(seed: 3)
    return (0..<width * height).map { index in
      let (dx, dy) = (Double(index % width - 20), Double(index / width - 30))
      return Float(100 + random.nextNormal() + 500 * exp(-(dx * dx + dy * dy) / 4))
    }
  }

  @Test("A star is found at its position with its flux")
  func star() throws {
    let star = try #require(try sources(starField()).max { $0.flux < $1.flux })
    #expect(abs(star.x - 21) < 0.05 && abs(star.y - 31) < 0.05)
    #expect(abs(star.flux - 500 * 4 * .pi) < 100)
    #expect(abs(star.peak - 500) < 5)
    #expect(star.ellipse.ellipticity < 0.1)
    #expect(star.xMin < 21 && star.xMax > 21 && star.yMin < 31 && star.yMax > 31)
    #expect(star.xPeak == 21 && star.yPeak == 31)
    #expect(star.flags == [])
    // A radius of 2.5 holds 1 - exp(-2.5²/4) of the star's light.
    let aperture = 500 * 4 * .pi * (1 - exp(-6.25 / 4))
    #expect(abs(star.apertureFluxes[0] - aperture) < 0.02 * aperture)
  }

  /// The detector leaves it to the catalogue's reader to judge an absurd value.
  @Test(
    "An absurd pixel drops no source",
    arguments: [2e30, 3e38] as [Float])
  func absurdPixel(value: Float) throws {
    var values = starField()
    values[30 * 64 + 20] = value
    let star = try #require(try sources(values).max { $0.flux < $1.flux })
    #expect(abs(star.x - 21) < 0.5 && abs(star.y - 31) < 0.5)
    #expect(star.peak == value && star.flux >= Double(value))
  }

  @Test("A component smaller than the minimum area is dropped")
  func minimumArea() throws {
    func found(_ area: Int) throws -> [Source] {
      try sources(starField()) { settings in
        settings.threshold = 0.5
        settings.minimumArea = area
        settings.deblendLevels = 1
      }
    }
    let all = try found(1)
    #expect(try found(10) == all.filter { $0.area >= 10 })
    #expect(try found(10).count < all.count)
  }

  @Test("An image without values has no sources")
  func noValues() throws {
    #expect(try sources([Float](repeating: .nan, count: 4096)).isEmpty)
    #expect(try sources([Float](repeating: 0.3, count: 4096)).isEmpty)
  }

  @Test("Values near the largest float give finite measures")
  func largestValues() throws {
    let values = (0..<4096).map { Float($0 % 7 == 0 ? 1e38 : $0 % 5 == 0 ? 9e29 : -9e29) }
    #expect(try !JSONEncoder().encode(try sources(values)).isEmpty)
    let large = try sources(values) { $0.maximumExtent = 1 }
    #expect(try !JSONEncoder().encode(large).isEmpty)
  }

  @Test("A setting out of its range is refused")
  func settings() throws {
    let changes: [@Sendable (inout DetectionSettings) -> Void] = [
      { $0.threshold = 0 }, { $0.threshold = .nan }, { $0.threshold = .infinity },
      { $0.minimumArea = 0 }, { $0.deblendLevels = 0 }, { $0.deblendContrast = -1 },
      { $0.apertures = [-1] }, { $0.apertures = [1025] },
      { $0.apertures = [Double](repeating: 5, count: 65) }, { $0.maximumExtent = 0 },
      { $0.mesh = 0 }, { $0.mesh = -64 },
      { $0.mesh = DetectionSettings.MeshSize(width: 64, height: 0) },
      { $0.mesh = DetectionSettings.MeshSize(width: 64, height: 67) },
      { $0.meshFilter.width = 0 }, { $0.meshFilter.height = 12 },
      { $0.meshFilter.threshold = -1 }, { $0.backgroundLevel = .nan },
      { $0.localThickness = 0 }, { $0.localThickness = 257 },
      { $0.gain = -1 }, { $0.saturation = .infinity },
      { $0.kron = DetectionSettings.Kron(factor: 0) },
      {
        $0.kron = DetectionSettings.Kron()
        $0.maximumExtent = 3000
      },
    ]
    for change in changes {
      #expect(throws: InvalidScan.self) { try sources(starField(), change) }
    }
  }

  @Test("The same pixels give the same bytes")
  func sameBytes() throws {
    let one = try sources(starField())
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(one) == encoder.encode(try sources(starField())))
    #expect(try JSONDecoder().decode([Source].self, from: try encoder.encode(one)) == one)
  }

  @Test("Counts that do not match are refused")
  func counts() throws {
    let (values, detector) = (starField(), SourceDetector())
    for (width, height) in [(64, 63), (0, 0), (-64, -64), (Int.max, 2), (1 << 21, 1)] {
      #expect(throws: InvalidScan.self) {
        try detector.sources(in: values, width: width, height: height)
      }
    }
    #expect(throws: InvalidScan.self) {
      try detector.sources(in: values, width: 64, height: 64, weights: [1, 2])
    }
    let small = try detector.background(of: values, width: 64, height: 64)
    #expect(throws: InvalidScan.self) {
      try detector.sources(in: values + values, width: 64, height: 128, over: small)
    }
  }

  @Test(
    "The analysis threshold decides which pixels count for the isophotal area, and nothing else")
  func analysisThreshold() throws {
    var settings = DetectionSettings()
    func found() throws -> [Source] {
      try SourceDetector(settings).sources(in: starField(), width: 64, height: 64)
    }
    let usual = try found()
    settings.analysisThreshold = 1.5
    #expect(try found() == usual)
    settings.analysisThreshold = 6
    let higher = try found()
    #expect(higher.map(\.isophotalArea) != usual.map(\.isophotalArea))
    #expect(zip(higher, usual).allSatisfy { $0.isophotalArea <= $1.isophotalArea })
    #expect(higher.map(\.area) == usual.map(\.area) && higher.map(\.flux) == usual.map(\.flux))
  }

  @Test("A pixel that is NaN, infinite or marked has no value")
  func noNumber() throws {
    var values = starField()
    let none = try (0..<3).map { kind in
      for row in 20..<40 { values[row * 64 + 40] = [.nan, .infinity, -1e30][kind] }
      return try sources(values)
    }
    #expect(none[0] == none[1] && none[1] == none[2] && !none[0].isEmpty)
  }

  @Test("The background has the sky's level and noise")
  func background() throws {
    let detector = SourceDetector()
    let background = try detector.background(of: starField(), width: 64, height: 64)
    #expect(abs(background.noise - 1) < 0.1)
    let levels = try background.levels(in: PixelRectangle(x: 8, y: 8, width: 16, height: 4))
    #expect(levels.count == 64 && levels.allSatisfy { abs($0 - 100) < 0.5 })
  }
}
