import ArgumentParser
import SkyNetCluster
import Synchronization

/// What the user asked for by signals: at the first, nothing new; at the second, an end.
final class StopRequest: Sendable {
  let shutdown = ShutdownTrigger()
  private let asked = Mutex<ExitCode?>(nil)

  /// The exit status that tells of it, if anything was asked.
  var status: ExitCode? { asked.withLock { $0 } }

  /// Whether a run that threw this ended because that was asked for. A run that is asked to stop may
  /// still fail by itself: its journal may be lost, or its disk full.
  func hasEnded(by error: any Error) -> Bool {
    status != nil && (error is CancellationError || error is EngagementError)
  }

  /// Returns at the second signal, or when cancelled.
  func watch() async {
    await Signals.watch { count, status in
      asked.withLock { $0 = $0 ?? status }
      shutdown.shutDown()
      return count < 2
    }
  }
}
