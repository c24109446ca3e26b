import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("Cleaning")
struct CleanerTests {
  /// A round Gaussian source with a given height over the threshold.
  private func source(
    _ number: Int, x: Double, y: Double, size: Double = 2, brightness: Double = 100,
    height: Float? = 1, slope: Int32? = 20
  ) -> Source {
    let flux = brightness * 2 * .pi * size * size
    let area = Int32(max(5, 8 * size * size))
    var source = Source(
      component: PixelPlace(row: number, column: 0), part: 0, x: x, y: y,
      xx: size * size, yy: size * size * 0.8, xy: 0.1 * size * size, flux: flux, variance: 1,
      isophotal: IsophotalMeasures(peak: Float(brightness), area: area, isophotalArea: area),
      xMin: 1, yMin: 1, xMax: 2, yMax: 2, flags: [], apertureFluxes: [])
    source.smoothedPeak = Float(brightness)
    source.cleaning = CleaningMeasures(flux: flux, threshold: 3)
    source.cleaning?.height = height
    source.cleaning?.slopeArea = slope
    return source
  }

  /// The survivors by the definition: every source is compared with every other one.
  private func plainSurvivors(of sources: [Source], parameter: Double) -> [Source] {
    let profiles = sources.map { CleaningProfile($0, parameter: parameter) }
    let order = Cleaner.brightestFirst(profiles)
    var absorbed: Set<Int> = []
    for (rank, one) in order.enumerated() where !absorbed.contains(one) {
      for other in order[(rank + 1)...] {
        if let absorber = profiles[one], let fainter = profiles[other], absorber.covers(fainter) {
          absorbed.insert(other)
        }
      }
    }
    return sources.enumerated().filter { !absorbed.contains($0.offset) }.map(\.element)
  }

  @Test(
    "Comparing only nearby sources drops the same sources as comparing all pairs",
    arguments: [0.1, 0.5, 1, 2, 10], [1 as UInt64, 2, 3])
  func neighbours(parameter: Double, seed: UInt64) {
    var noise = SplitMix64(seed: seed)
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &noise) }
    let sources = (0..<800).map { number in
      let height = Float(random(0...1) * random(0...1) * 30)
      return source(
        number, x: random(1...600), y: random(1...400),
        size: 0.5 + 3 * random(0...1) + (number.isMultiple(of: 50) ? random(0...200) : 0),
        brightness: 5 * (1 / random(0.001...1)),
        height: number.isMultiple(of: 40) ? nil : number.isMultiple(of: 7) ? 0 : height,
        slope: number.isMultiple(of: 9) ? nil : Int32(random(0...60)))
    }
    let survivors = Cleaner(parameter: parameter).survivors(of: sources)
    #expect(survivors.map(\.id) == plainSurvivors(of: sources, parameter: parameter).map(\.id))
    #expect(survivors.count < sources.count)
    #expect(survivors.count > 20)
  }

  @Test("A faint source is absorbed only in a brighter one's wings")
  func wings() {
    let bright = source(0, x: 100, y: 100, brightness: 1000)
    let near = source(1, x: 106, y: 100, brightness: 5, height: 0.5)
    let high = source(2, x: 94, y: 100, brightness: 5, height: 50)
    let far = source(3, x: 300, y: 100, brightness: 5, height: 0.0001)
    let cleaner = Cleaner(parameter: 1)
    func left(of sources: [Source]) -> [SourceID] {
      cleaner.survivors(of: sources).map(\.id)
    }
    #expect(left(of: [bright, near, high, far]) == [bright.id, high.id, far.id])
    #expect(left(of: [far, high, near, bright]) == [far.id, high.id, bright.id])
  }

  /// A source that was absorbed absorbs none.
  @Test("An absorbed source absorbs none")
  func absorbed() {
    let first = source(0, x: 100, y: 100, brightness: 10_000, height: 9)
    let second = source(1, x: 130, y: 100, brightness: 20, height: 0.02)
    let third = source(2, x: 135, y: 100, brightness: 4, height: 0.4)
    let cleaner = Cleaner(parameter: 1)
    #expect(cleaner.survivors(of: [second, third]).map(\.id) == [second.id])
    #expect(cleaner.survivors(of: [first, second, third]).map(\.id) == [first.id, third.id])
  }

  @Test("A source without cleaning measures stays")
  func notMeasured() {
    let bright = source(0, x: 100, y: 100, brightness: 1000)
    var unmeasured = source(1, x: 104, y: 100, brightness: 5)
    unmeasured.cleaning = nil
    var broken = source(2, x: 104, y: 101, brightness: 5)
    broken.x = .nan
    let giant = source(3, x: 104, y: 102, brightness: 5, height: nil)
    let sources = [bright, unmeasured, giant]
    #expect(Cleaner(parameter: 1).survivors(of: sources) == sources)
    #expect(Cleaner(parameter: 1).survivors(of: [bright, broken]).count == 2)
  }

  private func measures(_ excesses: [Float], minimumArea: Int) -> CleaningMeasures {
    CleaningMeasures(
      excesses: excesses, values: [1, 20, 4, 11, 11.5, 12], isWeighted: false, flux: 39,
      threshold: 3,
      minimumArea: minimumArea)
  }

  /// Worked out by hand from SExtractor's `examineiso`.
  @Test(
    "The height is that of the pixel that SExtractor takes for the last one that a source needs")
  func height() {
    func height(_ excesses: [Float], _ minimumArea: Int) -> Float? {
      measures(excesses, minimumArea: minimumArea).height
    }
    // As many pixels as are needed: the first one's. Fewer: 0.
    #expect(height([1, 6, 2, 4, 3, 5], 6) == 1)
    #expect(height([6, 1, 2, 4, 3, 5], 6) == 6)
    #expect(height([1, 6, 2, 4, 3, 5], 7) == 0)
    // The pixel after the first five is passed over, even if it is the highest.
    #expect(height([1, 6, 2, 4, 3, 5], 5) == 1)
    #expect(height([1, 6, 2, 4, 3, 5, 7], 5) == 2)
    #expect(height([1, 6, 2, 4, 3, 5], 1) == 5)
    // The third highest, when 4 is passed over.
    #expect(height([1, 2, 3, 4, 0, 8, 7], 3) == 3)
  }

  @Test(
    "The slope is the pixels from the threshold to halfway to the peak, and without one where pixels have weights"
  )
  func slope() {
    // Between 3 and the value halfway to 20.
    #expect(measures([1, 6, 2, 4, 3, 5], minimumArea: 5).slopeArea == 3)
    let weighted = CleaningMeasures(
      excesses: [1, 2], values: [4, 5], isWeighted: true, flux: 9, threshold: 3, minimumArea: 1)
    #expect(weighted.slopeArea == nil)
  }

  @Test("The cleaning parameter has limits")
  func limits() throws {
    var settings = DetectionSettings()
    for allowed in [nil, 0.1, 1, 10] as [Double?] {
      settings.cleaning = allowed
      try settings.check()
    }
    for refused in [0, 0.09, 10.1, .nan, .infinity] {
      settings.cleaning = refused
      #expect(throws: InvalidScan.self) { try settings.check() }
    }
  }

  /// The sums are those of SExtractor's merged sources.
  @Test("A dropped source is added to the one that absorbs it")
  func merged() throws {
    let bright = source(1, x: 50, y: 50, brightness: 1000)
    var near = source(2, x: 55, y: 50, brightness: 10)
    (near.peak, near.xMax, near.flags) = (2000, 9, [.truncated, .blended, .biased])
    (near.smoothedPeak, near.xPeak, near.yPeak) = (1500, 8, 7)
    let found = Cleaner(parameter: 1).survivors(of: [near, bright])
    let one = try #require(found.first)
    #expect(found.count == 1 && one.id == bright.id)
    #expect(one.flux == bright.flux + near.flux && one.variance == 2)
    #expect(one.area == bright.area + near.area && one.isophotalArea == bright.isophotalArea)
    #expect(one.peak == 2000 && one.xMax == 9 && one.flags == .truncated)
    #expect((one.smoothedPeak, one.xPeak, one.yPeak) == (1500, 8, 7))
    #expect((one.x, one.y, one.xx) == (bright.x, bright.y, bright.xx))
  }
}
