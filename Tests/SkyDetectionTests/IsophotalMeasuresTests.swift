import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("Isophotal measures")
struct IsophotalMeasuresTests {
  private func measures(of pixels: some Sequence<MeasuredPixel>) -> IsophotalMeasures {
    var measures = IsophotalMeasures()
    for pixel in pixels { measures.add(pixel) }
    return measures
  }

  /// Pixels of few values, so that many are the highest.
  private var pixels: [MeasuredPixel] {
    (0..<60).map { index in
      MeasuredPixel(
        place: PixelPlace(row: 20 + index / 10, column: 30 + index % 10),
        value: Float(index * 7 % 13), smoothed: Float(index * 5 % 7),
        isOverThreshold: index.isMultiple(of: 3))
    }
  }

  @Test("Pixels have the same measures in any order, and in any number of parts")
  func anyOrder() {
    let whole = measures(of: pixels)
    #expect(whole.area == 60 && whole.isophotalArea == 20 && whole.peak == 12)
    #expect((whole.smoothedPeak, whole.xPeak, whole.yPeak) == (6, 35, 21))
    #expect(measures(of: pixels.reversed()) == whole)
    var random = SplitMix64(seed: 1)
    for _ in 0..<20 {
      var parts = [IsophotalMeasures](repeating: IsophotalMeasures(), count: 4)
      for pixel in pixels.shuffled(using: &random) {
        parts[Int.random(in: 0..<4, using: &random)].add(pixel)
      }
      var sum = IsophotalMeasures()
      for part in parts { sum.add(part) }
      #expect(sum == whole)
    }
  }

  @Test("The peak is the highest smoothed pixel, whatever the unsmoothed ones are")
  func peak() {
    let pixels = [(9, 1), (2, 3)].enumerated().map { column, pixel in
      MeasuredPixel(
        place: PixelPlace(row: 0, column: column), value: Float(pixel.0), smoothed: Float(pixel.1),
        isOverThreshold: true)
    }
    let measures = measures(of: pixels)
    #expect(measures.peak == 9 && measures.smoothedPeak == 3)
    #expect(measures.xPeak == 2 && measures.yPeak == 1)
  }

  @Test("Measures that the pixels of a box cannot have are not sound")
  func soundness() {
    let box = PixelBox(columns: 30..<40, rows: 20..<26)
    #expect(measures(of: pixels).areSound(in: box))
    let changes: [(inout IsophotalMeasures) -> Void] = [
      { $0.area = 61 }, { $0.area = 0 }, { $0.area = .min }, { $0.isophotalArea = -1 },
      { $0.isophotalArea = 61 }, { $0.peak = .nan }, { $0.smoothedPeak = .infinity },
      { $0.xPeak = 30 }, { $0.xPeak = 41 }, { $0.yPeak = 20 }, { $0.yPeak = .min },
    ]
    for change in changes {
      var measures = measures(of: pixels)
      change(&measures)
      #expect(!measures.areSound(in: box))
    }
  }

  @Test("Counts do not grow beyond the largest number")
  func largest() {
    var measures = IsophotalMeasures(area: .max, isophotalArea: .max)
    measures.add(measures)
    #expect(measures.area == .max && measures.isophotalArea == .max)
  }
}
