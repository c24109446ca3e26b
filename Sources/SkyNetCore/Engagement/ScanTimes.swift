import Foundation

/// The durations of scans, as a histogram: the median of a million takes a few hundred bytes.
///
/// Each class is a fourth of an octave wide (19 %), from a millisecond to days. That width is the
/// precision of the median. The class of the median is kept between scans, as one more scan moves
/// it by little.
struct ScanTimes: Sendable {
  private static let classesPerOctave = 4.0
  private static let classes = 128
  private static let shortest = 1e-3

  private var counts: [Int] = []
  private var total = 0
  private var medianClass = 0
  private var countBelowMedian = 0
  /// The upper bound of the median's class; `nil` before the first scan.
  private(set) var median: Duration?

  mutating func add(_ seconds: Double) {
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.classes) }
    let position = log2(max(seconds, Self.shortest) / Self.shortest) * Self.classesPerOctave
    // A peer may report any number of seconds, and not every number is an `Int`.
    let last = Self.classes - 1
    let number = position < Double(last) ? Int(position) : last
    counts[number] += 1
    total += 1
    if number < medianClass { countBelowMedian += 1 }
    let formerClass = medianClass
    while countBelowMedian * 2 >= total {
      medianClass -= 1
      countBelowMedian -= counts[medianClass]
    }
    while (countBelowMedian + counts[medianClass]) * 2 < total {
      countBelowMedian += counts[medianClass]
      medianClass += 1
    }
    guard medianClass != formerClass || total == 1 else { return }
    median = .seconds(Self.shortest * exp2(Double(medianClass + 1) / Self.classesPerOctave))
  }
}
