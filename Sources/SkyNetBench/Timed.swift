/// Times a deciding struct: each event is handled twice, by two equal instances.
///
/// The driver uses the first instance's answers, which are not timed. The second instance gets the
/// same events later, ten thousand at a time, and only such a batch lies between two readings of
/// the clock. So the figures include neither the clock's cost nor the driver's, but they do include
/// taking an event from an array and dropping the answer.
struct Timed<Each: Decisions> {
  private static var run: Int { 10_000 }

  private var leader: Each
  private var follower: Each
  private var events: [Each.Event] = []
  /// The sums of both instances' answers.
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

  /// Lets the second instance handle the remaining events. Returns whether both gave equal answers.
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
