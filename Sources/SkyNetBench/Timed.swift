/// Decisions that are timed: each event is handled twice, by two that decide alike.
///
/// The first one's answers are what the driver goes on with, and nobody times them. The second one
/// is given the same events later, ten thousand at a time, and only such a run is between two
/// readings of the clock: what the clock costs, and what the driver does, is in no figure. Taking
/// an event from an array, and dropping the answer, is.
struct Timed<Each: Decisions> {
  private static var run: Int { 10_000 }

  private var leader: Each
  private var follower: Each
  private var events: [Each.Event] = []
  /// What the answers of each say, summed up.
  private var (led, followed) = (0, 0)
  private(set) var count = 0
  private(set) var elapsed = Duration.zero

  init(_ make: () -> Each) {
    leader = make()
    follower = make()
    events.reserveCapacity(Self.run)
  }

  mutating func handle(_ event: Each.Event) -> Each.Answer {
    events.append(event)
    if events.count == Self.run { follow() }
    let answer = leader.handle(event)
    led += Each.size(of: answer)
    return answer
  }

  /// Has the follower handle what it has not. Returns whether it answered as the leader did.
  mutating func finish() -> Bool {
    follow()
    return led == followed
  }

  var nanoseconds: Double { elapsed / .nanoseconds(max(count, 1)) }

  private mutating func follow() {
    let begin = ContinuousClock.now
    for event in events { followed += Each.size(of: follower.handle(event)) }
    elapsed += begin.duration(to: .now)
    count += events.count
    events.removeAll(keepingCapacity: true)
  }
}
