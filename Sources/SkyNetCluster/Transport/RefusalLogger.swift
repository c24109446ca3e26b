import Logging
import SkyNetCore

/// Logs the connections that a listener refuses, and the reasons why it cannot accept any, as often as
/// ``RefusalLog`` allows.
actor RefusalLogger: EngineActor {
  nonisolated let executor: any EngineExecutor
  private var refusals = RefusalLog()
  private let clock: any ClusterClock
  private let logger: Logger

  init(clock: any ClusterClock, logger: Logger, on executor: any EngineExecutor) {
    self.executor = executor
    self.clock = clock
    self.logger = logger
  }

  /// Logs what a listener refuses, until it is closed or the caller's task is cancelled.
  func follow(_ listener: any Listener) async {
    await withDiscardingTaskGroup { group in
      group.addTask { for await refusal in listener.refusals { await self.log(refusal) } }
      group.addTask { for await fault in listener.faults { self.logger.warning("\(fault)") } }
    }
  }

  /// Logs that a connection from this address was accepted, and refused when its peer had introduced itself.
  nonisolated func log(connectionFrom address: String, _ reason: String) {
    tell { $0.log(Refusal(host: Endpoint(address)?.host ?? address, reason: reason)) }
  }

  private func log(_ refusal: Refusal) {
    let verdict = refusals.verdict(on: refusal, at: clock.now)
    logger.log(
      level: verdict == .suppress ? .debug : .warning, "a connection was refused",
      metadata: .skynet([.peer: refusal.host, .reason: refusal.reason.bounded]))
    if verdict == .logLast {
      logger.warning("many connections were refused; further ones are not logged for ten minutes")
    }
  }
}
