import Logging
import SkyNetCore

/// A system that takes no new tasks: until it ends, or until a client has it take them again.
extension ScanSystem {
  /// Takes no new calls from now on, and hands back those that wait. Orphaned scans end, as no caller can
  /// claim them any more.
  func beginDrain(_ reason: DrainReason = .leaving) {
    let wasDraining = queue.drainReason != nil
    let waiting = queue.drain(reason)
    // Peers hear of it before their calls come back, so that they know the reason.
    whenDraining(true)
    for call in waiting { call.finish(.failure(CallFailure.draining(reason))) }
    for call in orphans.close() { cancel(call) }
    guard case .asked(let client) = reason, !wasDraining else { return }
    log("drained: takes no new scans, and finishes those that run", client)
  }

  /// Takes new calls again, if a client had asked to take none.
  func takeTasksAgain() {
    guard queue.undrain() else { return }
    orphans.reopen()
    whenDraining(false)
    log(
      "undrained: takes scans again", CallContext.current?.clientName ?? actorSystem.hello.name)
  }

  private func log(_ message: Logger.Message, _ client: String) {
    var values: [LogKey: String] = [
      .client: client, .scans: "\(queue.status.running.count)",
    ]
    values[.peer] = CallContext.current?.arrival?.address
    logger.notice(message, metadata: .skynet(values))
  }
}
