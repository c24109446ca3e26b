/// A way to tell an engagement, from outside, that nothing new is to be handed out.
public final class Interruption: Sendable {
  private let signal = OneShot<Void>()

  public init() {}

  public func interrupt() {
    signal.complete(.success(()))
  }

  /// Returns when interrupted, or throws `CancellationError`.
  func wait() async throws {
    try await signal.value()
  }
}
