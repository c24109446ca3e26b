import Foundation

/// How long scans take, as counts in classes of length: the median of a million in a few hundred
/// bytes.
///
/// Each class is a fourth of an octave wide (19 %), from a millisecond to days, so that is how
/// exact the median is. The median's class is kept, as one more scan moves it by little.
struct ScanTimes: Sendable {
  private static let classesPerOctave = 4.0
  private static let classes = 128
  private static let shortest = 1e-3

  private var counts: [Int] = []
  private var total = 0
  private var middle = 0
  /// How many are in the classes before the median's.
  private var before = 0
  /// The upper bound of the median's class; `nil` before the first scan.
  private(set) var median: Duration?

  mutating func add(_ seconds: Double) {
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.classes) }
    let place = log2(max(seconds, Self.shortest) / Self.shortest) * Self.classesPerOctave
    // A peer says how long its scan took, and may say anything; not every number is an `Int`.
    let last = Self.classes - 1
    let number = place < Double(last) ? Int(place) : last
    counts[number] += 1
    total += 1
    if number < middle { before += 1 }
    let formerly = middle
    while before * 2 >= total {
      middle -= 1
      before -= counts[middle]
    }
    while (before + counts[middle]) * 2 < total {
      before += counts[middle]
      middle += 1
    }
    guard middle != formerly || total == 1 else { return }
    median = .seconds(Self.shortest * exp2(Double(middle + 1) / Self.classesPerOctave))
  }
}
