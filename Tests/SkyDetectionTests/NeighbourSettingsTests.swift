import Testing

@testable import SkyDetection

/// The numbers that SExtractor 2.25 prints with settings of thresholds, of the largest sources, and of
/// what counts around a source.
@Suite("Thresholds, masks and circles")
struct NeighbourSettingsTests {
  private func areas(_ source: Source?) -> [Int32]? {
    source.map { [$0.isophotal.isophotalArea, $0.isophotal.area] }
  }

  @Test("Thresholds in counts are the same for every pixel, except for measuring with weights")
  func absoluteThresholds() throws {
    func change(_ settings: inout DetectionSettings) {
      (settings.threshold, settings.isThresholdAbsolute) = (10, true)
      (settings.analysisThreshold, settings.isAnalysisThresholdAbsolute) = (20, true)
    }
    let plain = try HashedSky.sources { change(&$0) }
    #expect(areas(plain.near(31.3175, 41.2172)) == [39, 55])
    #expect(areas(plain.near(166.198, 161.642)) == [23, 31])
    #expect(isPrinted(plain.near(31.3175, 41.2172)?.flux, 4179.169))
    #expect(plain.allSatisfy { $0.thresholds == .init(detection: 10, analysis: 20) })
    let weighted = try HashedSky.sources(weights: HashedSky.deviations) {
      change(&$0)
      $0.weighting.kind = .deviation
    }
    #expect(areas(weighted.near(31.3175, 41.2172)) == [40, 55])
    #expect(areas(weighted.near(166.198, 161.642)) == [19, 31])
    // The lowest of its own pixels' is that of a deviation of 3, and 20 that of the noise.
    let lowest = weighted.near(31.3175, 41.2172)?.thresholds
    #expect(lowest?.detection == 10)
    #expect(isPrinted(lowest.map { Double($0.analysis) }, 20 * 3 / 3.96909))
  }

  @Test("One threshold may be in counts, and the other one in units of the noise")
  func mixedThresholds() throws {
    let sources = try HashedSky.sources(weights: HashedSky.deviations) {
      $0.weighting.kind = .deviation
      ($0.analysisThreshold, $0.isAnalysisThresholdAbsolute) = (20, true)
    }
    #expect(areas(sources.near(31.312, 41.1436)) == [40, 53])
    #expect(areas(sources.near(166.1245, 161.6256)) == [19, 27])
    #expect(sources.near(166.1245, 161.6256)?.thresholds?.detection == 15)
  }

  @Test("Sources of more than the largest area are left out, and cleaning does without them")
  func maximumArea() throws {
    for cleaning in [nil, 1.0] {
      let sources = try HashedSky.sources {
        $0.maximumArea = 50
        $0.cleaning = cleaning
      }
      let found = sources.map(\.isophotal.area).sorted()
      #expect(found == [23, 24, 30, 39, 45, 47])
    }
    #expect(throws: InvalidScan.self) { try HashedSky.sources { $0.maximumArea = -1 } }
  }

  /// A circle of 30 pixels in which there is a brighter star.
  @Test("Other sources' pixels count, are 0, or are replaced by the opposite ones")
  func masks() throws {
    for (masking, flux, error) in [
      (DetectionSettings.Masking.none, 7480.185, 121.9674), (.blank, 1804.477, 109.7187),
      (.correct, 1843.616, 109.8078),
    ] {
      let sources = try HashedSky.sources {
        $0.apertures = [30]
        $0.masking = masking
      }
      let source = sources.near(56.081, 123.3002)
      #expect(isPrinted(source?.apertureFluxes[0], flux, within: 1e-3), "\(masking)")
      #expect(isPrinted(source?.apertureVariances[0].squareRoot(), error), "\(masking)")
    }
  }

  @Test("Bad pixels have opposite ones only where those of other sources have")
  func badPixels() throws {
    for (masking, flux, error, kron) in [
      (DetectionSettings.Masking.none, 1744.925, 82.59463, 1639.898),
      (.blank, 1744.925, 82.59463, 1639.898), (.correct, 2988.695, 86.10618, 2883.667),
    ] {
      let sources = try HashedSky.sources(weights: HashedSky.deviations) {
        $0.weighting = .init(kind: .deviation, threshold: 7)
        $0.interpolates = false
        $0.apertures = [30]
        $0.masking = masking
        $0.kron = .init()
      }
      let source = sources.near(31.312, 41.1436)
      #expect(isPrinted(source?.apertureFluxes[0], flux, within: 1e-3), "\(masking)")
      #expect(isPrinted(source?.apertureVariances[0].squareRoot(), error), "\(masking)")
      #expect(isPrinted(source?.kron?.flux, kron), "\(masking)")
      #expect(source?.flags.contains(.biased) == true)
    }
  }

  /// What SExtractor prints with circles instead of small ellipses: FLUX_AUTO, FLUXERR_AUTO, KRON_RADIUS,
  /// FLUX_RADIUS, FLUX_PETRO and PETRO_RADIUS of two stars.
  private static let circles: [(search: Double, flux: Double, printed: [[Double]])] = [
    (
      0, 0,
      [
        [797.1813, 36.87226, 3.61, 1.745, 810.3929, 5.28],
        [5042.448, 68.75127, 3.5, 2.397, 5055.591, 5.28],
      ]
    ),
    (
      30, 30,
      [
        [944.1195, 107.7492, 0, 1.986, 944.1195, 0], [4983.417, 116.5431, 0, 2.37, 5003.334, 9.9],
      ]
    ),
    (
      0, 20,
      [
        [831.2299, 73.11983, 0, 1.796, 831.2299, 0], [5052.712, 86.26411, 0, 2.4, 5055.591, 5.28],
      ]
    ),
    (
      20, 0,
      [
        [812.6695, 48.90088, 5.19, 1.775, 807.251, 6.6],
        [5042.448, 68.75127, 3.5, 2.404, 5055.591, 5.28],
      ]
    ),
    (
      18, 12,
      [
        [797.9999, 46.34281, 0, 1.743, 800.3478, 6.93],
        [5042.448, 68.75127, 3.5, 2.393, 5055.591, 5.28],
      ]
    ),
  ]

  @Test("Circles stand for ellipses that are smaller", arguments: circles)
  func leastCircles(search: Double, flux: Double, printed: [[Double]]) throws {
    let sources = try HashedSky.sources {
      $0.leastCircles = .init(search: search, flux: flux)
      $0.kron = .init()
      $0.petrosian = .init()
      $0.fluxFractions = [0.5]
    }
    for (place, numbers) in zip([(151.6178, 31.1223), (121.2062, 61.908)], printed) {
      let source = try #require(sources.near(place.0, place.1))
      let (kron, petrosian) = (try #require(source.kron), try #require(source.petrosian))
      let measured = [
        kron.flux, kron.variance?.squareRoot() ?? 0, kron.radius, source.fluxRadii[0],
        petrosian.flux, petrosian.radius,
      ]
      for (number, printed) in zip(measured, numbers) {
        #expect(abs(number - printed) <= max(0.006, 1e-3 * abs(printed)), "\(measured)")
      }
    }
  }

  @Test("Circles that are too wide are refused")
  func wideCircles() {
    for diameter in [-1, 1001, Double.nan] {
      #expect(throws: InvalidScan.self) {
        try HashedSky.sources { $0.leastCircles.flux = diameter }
      }
      #expect(throws: InvalidScan.self) {
        try HashedSky.sources { $0.leastCircles.search = diameter }
      }
    }
  }
}
