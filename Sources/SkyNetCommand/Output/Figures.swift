import Foundation

/// Figures as bars, lines of bars and lists, the same in all views.
enum Figures {
  /// A bar of this many columns. A part above 0 fills at least one, and only 1 fills them all.
  static func bar(_ part: Double, columns: Int) -> String {
    let exact = (max(0, min(1, part.isFinite ? part : 0)) * Double(columns)).rounded(.down)
    let filled = part > 0 ? max(1, Int(exact)) : 0
    return String(repeating: "█", count: filled) + String(repeating: "░", count: columns - filled)
  }

  /// A column for each value. The highest stands for `most`; with `nil`, for the largest of them.
  static func sparkline(_ values: some Collection<Double>, most: Double? = nil) -> String {
    let steps = Array("▁▂▃▄▅▆▇█")
    let most = max(most ?? 0, values.max() ?? 0)
    return String(
      values.map { value in
        most > 0 ? steps[Int(max(0, value) / most * Double(steps.count - 1))] : steps[0]
      })
  }

  /// The time of day: `21:04:05`.
  static func clock(_ time: Double, in zone: TimeZone = .current) -> String {
    let seconds =
      Int(time.rounded(.down)) + zone.secondsFromGMT(for: Date(timeIntervalSince1970: time))
    let day = (seconds % 86_400 + 86_400) % 86_400
    return String(format: "%02d:%02d:%02d", day / 3600, day / 60 % 60, day % 60)
  }

  /// Names with their counts: `ada 3, bob 1`.
  static func counts(_ counts: [(name: String, count: Int)]) -> String {
    counts.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
  }
}
