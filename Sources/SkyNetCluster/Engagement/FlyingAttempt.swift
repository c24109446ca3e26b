import SkyNetCore

/// An attempt that its run waits for, as the run's actor keeps it.
final class FlyingAttempt {
  struct Start: Sendable {
    let at: Instant
    /// How long the kind of scan lets it run; see `ScanTask.timeLimit`.
    let limit: Duration?
  }

  /// The child of the run's group that carries the attempt out. Its handle is safe while the child lives: it is kept
  /// and used on the run's actor alone, and removed there before the child ends (``landed()``).
  var child: UnsafeCurrentTask?
  /// How long the kind of scan lets the scan run, as soon as the sector is made.
  var limit: Duration?
  var start: Start?
  private var hasLanded = false
  private var waiter: CheckedContinuation<Start?, Never>?

  /// The scan has started. Only the first start counts.
  func started(at instant: Instant) {
    guard start == nil else { return }
    start = Start(at: instant, limit: limit)
    waiter.take()?.resume(returning: start)
  }

  /// The child has ended, with or without a start.
  func landed() {
    hasLanded = true
    child = nil
    stopWaiting()
  }

  /// Resumes with the start: at once if the scan has started, or if the attempt has ended without one.
  func awaitStart(_ waiter: CheckedContinuation<Start?, Never>) {
    if hasLanded || start != nil || Task.isCancelled {
      waiter.resume(returning: start)
    } else {
      self.waiter = waiter
    }
  }

  func stopWaiting() { waiter.take()?.resume(returning: nil) }

  /// Cancels the child. A group can only cancel all of its children.
  func cancel() {
    child?.cancel()
    stopWaiting()
  }
}
