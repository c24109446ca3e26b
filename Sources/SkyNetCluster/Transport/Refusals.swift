import Logging
package import SkyNetCore

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

/// Decides which refused connections are logged. For one host, that is each reason once an hour, and at most
/// ten reasons. For all hosts together, it is a hundred refusals in ten minutes.
///
/// So no host can keep the refusals of others out of the log for longer than ten minutes. A host is forgotten
/// after an hour, which bounds how many hosts are remembered.
package struct RefusalLog {
  package enum Verdict {
    case log
    /// The refusal is logged, as the last one of this period.
    case logLast
    case suppress
  }

  static let hostLifetime = Duration.seconds(3600)
  static let period = Duration.seconds(600)
  /// How many refusals are logged in a period.
  static let refusalsPerPeriod = 100
  static let reasonsPerHost = 10

  private var hosts: [String: (since: Instant, reasons: Set<String>)] = [:]
  /// When the current period began, and how many refusals were logged in it.
  private var begin: Instant?
  private var logged = 0

  package init() {}

  /// What to do with a refusal that has come now.
  package mutating func verdict(on refusal: Refusal, at now: Instant) -> Verdict {
    if let begin, begin + Self.period > now {
      guard logged < Self.refusalsPerPeriod else { return .suppress }
    } else {
      (begin, logged) = (now, 0)
      hosts = hosts.filter { $0.value.since + Self.hostLifetime > now }
    }
    var host = hosts[refusal.host] ?? (now, [])
    guard host.reasons.count < Self.reasonsPerHost,
      host.reasons.insert(refusal.reason.bounded).inserted
    else { return .suppress }
    hosts[refusal.host] = host
    logged += 1
    return logged < Self.refusalsPerPeriod ? .log : .logLast
  }
}
