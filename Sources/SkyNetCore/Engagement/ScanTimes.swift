import Foundation

/// How long scans take, as counts in classes of length: the median of a million in a few hundred
/// bytes.
///
/// Each class is a fourth of an octave wide (19 %), from a millisecond to days, so that is how
/// exact the median is.
struct ScanTimes: Sendable {
  private static let classesPerOctave = 4.0
  private static let classes = 128
  private static let shortest = 1e-3

  private var counts: [Int] = []
  private var total = 0

  mutating func add(_ seconds: Double) {
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.classes) }
    let place = log2(max(seconds, Self.shortest) / Self.shortest) * Self.classesPerOctave
    // A peer says how long its scan took, and may say anything; not every number is an `Int`.
    let last = Self.classes - 1
    counts[place < Double(last) ? Int(place) : last] += 1
    total += 1
  }

  /// The upper bound of the median's class; `nil` before the first scan.
  var median: Duration? {
    guard total > 0 else { return nil }
    var seen = 0
    for (number, count) in counts.enumerated() {
      seen += count
      guard seen * 2 >= total else { continue }
      return .seconds(Self.shortest * exp2(Double(number + 1) / Self.classesPerOctave))
    }
    return nil
  }
}
