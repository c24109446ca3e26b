import Logging
import SkyNetCore

/// A system that takes no new tasks: until it ends, or until a client has it take them again.
extension ScanSystem {
  /// Why the system takes no new tasks; `nil` while it takes them.
  nonisolated var drainReason: DrainReason? { resources?.queue.drainReason }

  /// Takes no new calls from now on, and hands back those that wait. Orphaned scans end, as no caller can
  /// claim them any more.
  nonisolated func beginDrain(_ reason: DrainReason = .leaving) {
    guard let resources else { return }
    let wasDraining = resources.queue.drainReason != nil
    let waiting = resources.queue.drain(reason)
    // Peers hear of it before their calls come back, so that they know the reason.
    actorSystem.localActorDrains(true)
    for call in waiting { call.finish(.failure(CallFailure.draining(reason))) }
    resources.orphans.close()
    guard case .asked(let client) = reason, !wasDraining else { return }
    log("drained: takes no new scans, and finishes those that run", client, resources)
  }

  /// Takes new calls again, if a client had asked to take none.
  nonisolated func takeTasksAgain() {
    guard let resources, resources.queue.undrain() else { return }
    resources.orphans.reopen()
    actorSystem.localActorDrains(false)
    log(
      "undrained: takes scans again", CallContext.current?.clientName ?? actorSystem.hello.name,
      resources)
  }

  private nonisolated func log(
    _ message: Logger.Message, _ client: String, _ resources: Resources
  ) {
    var values: [LogKey: String] = [
      .client: client, .scans: "\(resources.queue.status.running.count)",
    ]
    values[.peer] = CallContext.current?.clientAddress
    resources.logger.notice(message, metadata: .skynet(values))
  }
}
