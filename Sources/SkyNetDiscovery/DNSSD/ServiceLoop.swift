#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The event loop of the service thread: waits for answers, timers and commands, and calls their handlers. Only
/// that thread makes the loop, runs it and calls it.
final class ServiceLoop {
  struct TimerID: Hashable {
    fileprivate let number: Int
  }

  private struct Timer {
    let deadline: ContinuousClock.Instant
    let action: () -> Void
  }

  private struct Watched {
    let reference: ServiceReference
    let onAnswer: (ServiceReference.Answer) -> Void
  }

  /// How long to wait after `poll` has failed, in microseconds.
  private static let pause: useconds_t = 100_000

  private let clock = ContinuousClock()
  private var timers: [TimerID: Timer] = [:]
  private var watched: [Watched] = []
  private var timersMade = 0

  /// Calls `onAnswer` with each answer until the reference is closed.
  func watch(
    _ reference: ServiceReference, onAnswer: @escaping (ServiceReference.Answer) -> Void
  ) {
    watched.append(Watched(reference: reference, onAnswer: onAnswer))
  }

  func schedule(after duration: Duration, _ action: @escaping () -> Void) -> TimerID {
    timersMade += 1
    let id = TimerID(number: timersMade)
    timers[id] = Timer(deadline: clock.now + duration, action: action)
    return id
  }

  func cancel(_ id: TimerID) {
    timers[id] = nil
  }

  /// Runs for ever: performs the mailbox's commands, and calls the handlers of timers and answers.
  func run(_ mailbox: Mailbox, perform: (Mailbox.Command) -> Void) -> Never {
    while true {
      for command in mailbox.takeAll() { perform(command) }
      fireTimers()
      watched.removeAll { !$0.reference.isOpen }
      let candidates = watched
      for index in wait(for: candidates.map(\.reference.descriptor), waker: mailbox.descriptor) {
        deliver(to: candidates[index])
      }
    }
  }

  /// Sleeps until a descriptor is readable or broken, a timer is due, or a command arrives. Returns the indices
  /// of the descriptors that are readable or broken.
  private func wait(for descriptors: [Int32], waker: Int32) -> [Int] {
    var polls = (descriptors + [waker]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&polls, nfds_t(polls.count), milliseconds)
    // Out of memory, or more descriptors than the process may have by now. Without a pause the loop would try
    // again without end.
    if count < 0, errno != EINTR { usleep(Self.pause) }
    // No descriptor is readable; the caller waits again.
    guard count > 0 else { return [] }
    return descriptors.indices.filter { polls[$0].revents != 0 }
  }

  /// The time until the first timer is due, in milliseconds, rounded up; -1 without timers.
  private var milliseconds: Int32 {
    guard let deadline = timers.values.map(\.deadline).min() else { return -1 }
    let wait = max(.zero, clock.now.duration(to: deadline))
    let rounded = (wait / .milliseconds(1)).rounded(.up)
    return Int32(min(rounded, Double(Int32.max)))
  }

  private func fireTimers() {
    let now = clock.now
    let due = timers.filter { $0.value.deadline <= now }.sorted {
      ($0.value.deadline, $0.key.number) < ($1.value.deadline, $1.key.number)
    }
    // An earlier timer's action may have cancelled a later timer.
    for (id, timer) in due where timers.removeValue(forKey: id) != nil { timer.action() }
  }

  private func deliver(to one: Watched) {
    for answer in one.reference.process() {
      // The handler of the last answer may have closed the reference.
      guard one.reference.isOpen else { return }
      one.onAnswer(answer)
    }
  }
}
