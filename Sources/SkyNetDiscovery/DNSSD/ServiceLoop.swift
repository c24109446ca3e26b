#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Waits for answers, for timers and for commands, and hands each to whom it concerns. One thread
/// makes it, runs it and calls it.
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

  /// How long to leave the system alone when it cannot wait for descriptors, in microseconds.
  private static let pause: useconds_t = 100_000

  private let clock = ContinuousClock()
  private var timers: [TimerID: Timer] = [:]
  private var watched: [Watched] = []
  private var timersMade = 0

  /// Calls `onAnswer` with each answer, from then until the reference is closed.
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

  /// Runs for good: performs what comes through the mailbox, and what it leads to.
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

  /// The indices of the descriptors that have something to read or are no good any more. Sleeps
  /// until there is one, a timer falls due, or a command comes.
  private func wait(for descriptors: [Int32], waker: Int32) -> [Int] {
    var polls = (descriptors + [waker]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&polls, nfds_t(polls.count), milliseconds)
    // Out of memory, or more descriptors than the process may have by now: trying again at once
    // would be without end.
    if count < 0, errno != EINTR { usleep(Self.pause) }
    // Nothing is marked, and the caller comes back.
    guard count > 0 else { return [] }
    return descriptors.indices.filter { polls[$0].revents != 0 }
  }

  /// Until the first timer falls due, rounded up; -1 for ever.
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
    // An earlier one may have cancelled a later one.
    for (id, timer) in due where timers.removeValue(forKey: id) != nil { timer.action() }
  }

  private func deliver(to one: Watched) {
    for answer in one.reference.process() {
      // Whoever had the last answer may have closed it.
      guard one.reference.isOpen else { return }
      one.onAnswer(answer)
    }
  }
}
