import ArgumentParser
import SkyNetCluster
import Synchronization

/// The user's request to stop: the first signal shuts the run down gracefully, the second ends it.
final class StopRequest: Sendable {
  let shutdown = ShutdownTrigger()
  private let requested = Mutex<ExitCode?>(nil)

  /// The exit status for the request, if there was one.
  var status: ExitCode? { requested.withLock { $0 } }

  /// Whether this error ended the run because of the request. A run that is stopping may still fail
  /// for other reasons: its journal may be lost, or its disk full.
  func hasEnded(by error: any Error) -> Bool {
    status != nil && (error is CancellationError || error is EngagementError)
  }

  /// Returns at the second signal, or when cancelled. At the first one it calls `announce`.
  func watch(_ announce: (ExitCode) -> Void) async {
    await Signals.watch { count, status in
      requested.withLock { $0 = $0 ?? status }
      if count == 1 { announce(status) }
      shutdown.shutDown()
      return count < 2
    }
  }
}
