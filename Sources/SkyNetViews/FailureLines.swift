/// Lines of failures for a person who watches: of one reason the first comes at once, and those that follow it soon
/// become one line with their count and an example.
///
/// The pause between two lines of a reason begins with a second, and doubles while there are more of them. A reason
/// that is not heard of for a pause begins anew.
package struct FailureLines: Sendable {
  private struct Group {
    let kind: EventLines.Kind
    let reason: String
    /// How long lines are held back, in seconds, and until when.
    var pause: Double
    var end: Double
    /// How many are held back, and the last of them.
    var count = 0
    var last: EventLines.Line

    /// The line for those that are held back.
    var line: EventLines.Line? {
      guard count > 1, let failure = last.failure else { return count == 1 ? last : nil }
      let word = kind == .gaveUp ? "gave up" : "re-run"
      return EventLines.Line(
        "\(word) \(count) more sectors, such as \(failure.place): \(failure.reason)", kind,
        isFault: last.isFault)
    }
  }

  /// The first pause and the longest, in seconds.
  static let firstPause = 1.0
  static let longestPause = 32.0
  /// How many reasons are told apart. Further ones count as one.
  static let limit = 50

  private var groups: [Group] = []

  package init() {}

  /// Whether a line is held back.
  package var isHolding: Bool { groups.contains { $0.count > 0 } }

  /// Takes a line at a time in seconds. Returns it, or `nil` if it is held back. Lines about other things than failures
  /// are never held back.
  package mutating func add(_ line: EventLines.Line, at now: Double) -> EventLines.Line? {
    guard let failure = line.failure else { return line }
    groups.removeAll { $0.count == 0 && $0.end <= now }
    let isKnown = groups.contains { $0.kind == line.kind && $0.reason == failure.kind }
    let reason = isKnown || groups.count < Self.limit ? failure.kind : ""
    guard let place = groups.firstIndex(where: { $0.kind == line.kind && $0.reason == reason })
    else {
      groups.append(
        Group(
          kind: line.kind, reason: reason, pause: Self.firstPause, end: now + Self.firstPause,
          last: line))
      return line
    }
    groups[place].count += 1
    groups[place].last = line
    return nil
  }

  /// The lines for those whose pause is over.
  package mutating func due(at now: Double) -> [EventLines.Line] {
    var lines: [EventLines.Line] = []
    for place in groups.indices where groups[place].end <= now {
      guard let line = groups[place].line else { continue }
      lines.append(line)
      groups[place].count = 0
      groups[place].pause = min(Self.longestPause, 2 * groups[place].pause)
      groups[place].end = now + groups[place].pause
    }
    return lines
  }

  /// The lines for all that are held back.
  package mutating func flush() -> [EventLines.Line] {
    defer { groups = [] }
    return groups.compactMap(\.line)
  }
}
