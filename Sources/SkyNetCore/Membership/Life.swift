/// An incarnation's time with this process, from when it joined first.
struct Life: Hashable, Sendable {
  /// One that lived for so long without work did not die young.
  private static let youth = Duration.seconds(10)

  let id: Incarnation
  let start: Instant
  /// Until when it is given nothing, as its place is one whose incarnations die young.
  var pauseEnd: Instant?
  /// Attempts that brought an output.
  var completed = 0
  /// When it was last here, and how many attempts were lost with it.
  var end: Instant?
  var lost = 0

  init(id: Incarnation, start: Instant) {
    self.id = id
    self.start = start
  }

  var length: Duration { end.map { start.duration(to: $0) } ?? .zero }

  /// Whether it ran nothing that could have killed it.
  var wasIdle: Bool { lost == 0 }

  /// Whether it was of no use: as much was lost with it as it brought. For one that had no work,
  /// it speaks that it lived for some time, and longer than it was paused.
  var wasYoung: Bool {
    guard completed <= lost else { return false }
    guard wasIdle, length >= Self.youth, let end else { return true }
    return pauseEnd.map { end < $0 } ?? false
  }
}
