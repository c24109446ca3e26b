import SkyNetCore

/// When an attempt's scan started, for whoever wants to know, then or later.
struct AttemptStart: Sendable {
  private let clock: any ClusterClock
  private let signal = OneShot<Instant>()

  init(clock: any ClusterClock) {
    self.clock = clock
  }

  func started() {
    signal.complete(.success(clock.now))
  }

  /// The attempt ended, perhaps without a start.
  func ended() {
    signal.complete(.failure(CancellationError()))
  }

  /// Waits for the start; `nil` if there was none.
  func instant() async -> Instant? { try? await signal.value() }
}
