import Synchronization

/// Whether an attempt's scan has begun, for those who look and for those who wait.
final class AttemptStart: Sendable {
  /// Completed when the scan begins; fails if the attempt ends before. `nil` if nobody waits.
  let signal: OneShot<Void>?
  private let flag = Atomic<Bool>(false)

  init(isAwaited: Bool) {
    signal = isAwaited ? OneShot() : nil
  }

  var hasBegun: Bool { flag.load(ordering: .acquiring) }

  func began() {
    flag.store(true, ordering: .releasing)
    signal?.complete(.success(()))
  }

  func ended() {
    signal?.complete(.failure(CancellationError()))
  }
}
