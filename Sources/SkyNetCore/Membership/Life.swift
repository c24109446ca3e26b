/// The time that one incarnation is connected to this process, from its first joining.
struct Life: Hashable, Sendable {
  /// An incarnation that lived for this long without work did not die young.
  private static let youngAge = Duration.seconds(10)

  let id: Incarnation
  let start: Instant
  /// The end of the pause in which the incarnation gets no work, because incarnations at its place
  /// die young.
  var pauseEnd: Instant?
  /// The number of attempts that returned an output.
  var completed = 0
  /// When the incarnation was last here, and how many attempts were lost with it.
  var end: Instant?
  var lost = 0

  init(id: Incarnation, start: Instant) {
    self.id = id
    self.start = start
  }

  var length: Duration { end.map { start.duration(to: $0) } ?? .zero }

  /// Whether the incarnation ran nothing that could have killed it.
  var wasIdle: Bool { lost == 0 }

  /// Whether the incarnation was of no use: it lost as much as it returned. An incarnation without
  /// work was of use if it lived for ``youngAge``, and longer than its pause.
  var diedYoung: Bool {
    guard completed <= lost else { return false }
    guard wasIdle, length >= Self.youngAge, let end else { return true }
    return pauseEnd.map { end < $0 } ?? false
  }
}
