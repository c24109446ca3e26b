import ArgumentParser
import SkyNetCluster
import Synchronization

/// What the user asked for by signals: at the first, nothing new; at the second, an end.
final class StopRequest: Sendable {
  let interruption = Interruption()
  private let asked = Mutex<ExitCode?>(nil)

  /// The exit status that tells of it, if anything was asked.
  var status: ExitCode? { asked.withLock { $0 } }

  /// Returns at the second signal, or when cancelled.
  func watch() async {
    await Signals.watch { count, status in
      asked.withLock { $0 = $0 ?? status }
      interruption.interrupt()
      return count < 2
    }
  }
}
