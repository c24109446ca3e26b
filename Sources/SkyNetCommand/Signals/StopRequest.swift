import ArgumentParser
import SkyNetCluster
import SkyNetCore
import Synchronization

/// The user's request to stop: the first signal shuts the run down gracefully, the second ends it.
final class StopRequest: Sendable {
  /// Why a watch has returned.
  enum End { case secondSignal, limit, cancelled }

  let shutdown = ShutdownTrigger()
  private let requested = Mutex<ExitCode?>(nil)

  /// The exit status for the request, if there was one.
  var status: ExitCode? { requested.withLock { $0 } }

  /// The counts of a run that a second signal or its limit has ended; `nil` of one that has ended by itself, or has not
  /// begun.
  var tally: Tally? { left.withLock { $0 } }
  private let left = Mutex<Tally?>(nil)

  /// The run was ended at once, with these counts.
  func leftBehind(_ tally: Tally) { left.withLock { $0 = tally } }

  /// What ended a run that has thrown this error: ``RunStopped`` if it was the request, or else the error. A run that is
  /// stopping may still fail for other reasons: its journal may be lost, or its disk full.
  func ending(_ error: any Error) -> any Error {
    guard let status, error is CancellationError || error is EngagementError else { return error }
    return RunStopped(status: status)
  }

  /// Returns at the second signal, when a limit after the first one is over, or when cancelled. At the first one it
  /// calls `announce`.
  ///
  /// - Parameter limit: how long the run may go on after the first signal; `nil` if it ends by itself.
  func watch(
    limit: Duration? = nil, clock: any ClusterClock = SteadyClock(),
    _ announce: @escaping @Sendable (ExitCode) -> Void
  ) async -> End {
    let (first, isFirst) = AsyncStream.makeStream(of: Void.self)
    return await withTaskGroup(of: End.self) { group in
      group.addTask {
        await self.watchSignals(announce) { isFirst.yield() }
        return Task.isCancelled ? .cancelled : .secondSignal
      }
      if let limit {
        group.addTask {
          for await _ in first {
            do {
              try await clock.sleep(until: clock.now + limit, tolerance: nil)
              return .limit
            } catch {}
          }
          return .cancelled
        }
      }
      defer { group.cancelAll() }
      return await group.next() ?? .cancelled
    }
  }

  private func watchSignals(
    _ announce: (ExitCode) -> Void, _ isFirst: () -> Void
  ) async {
    await Signals.watch { count, status in
      requested.withLock { $0 = $0 ?? status }
      if count == 1 {
        announce(status)
        isFirst()
      }
      shutdown.shutDown()
      return count < 2
    }
  }
}
