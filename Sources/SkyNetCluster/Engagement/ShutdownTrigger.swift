/// Tells an engagement from outside to shut down gracefully: to hand out no more tasks, and to end when the
/// scans that run have ended.
public final class ShutdownTrigger: Sendable {
  private let signal = OneShot<Void>()

  public init() {}

  /// Begins the shutdown. A second call changes nothing.
  public func shutDown() {
    signal.complete(.success(()))
  }

  /// Returns when the shutdown begins.
  ///
  /// - Throws: `CancellationError`.
  package func wait() async throws {
    try await signal.value()
  }
}
