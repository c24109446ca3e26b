import SkyDetection
import SkyFITS
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyPicture

@Suite("The stretch of brightness")
struct StretchTests {
  /// The image is a sky of 1000 ± 5 with a few stars; ``Stretch`` documents the limits.
  @Test("The limits follow from the noise of the sky")
  func limits() throws {
    var random = SplitMix64(seed: 3)
    var values = (0..<100_000).map { _ in Float(1000 + 5 * random.nextNormal()) }
    for star in 0..<100 { values[star * 977] = 5000 }
    for blank in 0..<500 { values[blank * 181 + 1] = .nan }
    let stretch = Stretch(values)
    #expect(abs(stretch.black - 990) < 0.5)
    #expect(abs(stretch.softening - 15) < 0.3)
    #expect(stretch.white == 5000)
    #expect(stretch(5000) == 1 && stretch(9999) == 1 && stretch(980) == 0)
    #expect((0.05..<0.15).contains(stretch(1000)))
    let levels = stride(from: Float(985), to: 6000, by: 10).map { stretch($0) }
    #expect(levels == levels.sorted())
  }

  @Test("An empty sky is dark")
  func emptySky() {
    var random = SplitMix64(seed: 4)
    let stretch = Stretch((0..<10_000).map { _ in Float(random.nextNormal()) })
    #expect(stretch.white > 29 && stretch(3) < 0.5)
  }

  @Test("Empty borders do not change the limits")
  func borders() {
    var random = SplitMix64(seed: 5)
    let sky = (0..<9000).map { _ in Float(1000 + 5 * random.nextNormal()) }
    let stretch = Stretch(sky + [Float](repeating: 0, count: 1000))
    #expect((980..<995).contains(stretch.black))
  }

  @Test("If few values differ, they fill the range from black to white")
  func fewValues() {
    let stretch = Stretch([Float](repeating: 7, count: 1000) + [6, 8])
    #expect(stretch(6) == 0 && stretch(8) == 1 && (0.5..<1).contains(stretch(7)))
  }

  @Test(
    "Any values have a brightness from 0 to 1",
    arguments: [[], [.nan], [4, 4, 4], [-1e30, 1e30], [1e30]] as [[Float]])
  func anyValues(values: [Float]) {
    let stretch = Stretch(values)
    for value in values where !value.isNaN { #expect((0...1).contains(stretch(value))) }
  }
}
