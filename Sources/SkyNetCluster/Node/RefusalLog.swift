import SkyNetCore

/// Decides which refusals are logged: of each host each reason once an hour, and at most ten reasons;
/// and of all hosts a hundred refusals in ten minutes.
///
/// So no host keeps others' reasons out of the log for longer than ten minutes. A host is forgotten
/// after an hour, which bounds how many are remembered.
struct RefusalLog {
  enum Verdict {
    case tell
    /// The refusal is logged, as the last one of this period.
    case tellLast
    case keepQuiet
  }

  private struct Host {
    let since: Instant
    var reasons: Set<String> = []
  }

  static let memory = Duration.seconds(3600)
  static let period = Duration.seconds(600)
  /// How many lines there are in a period, and how many reasons of a host are told.
  static let lines = 100
  static let reasonsOfHost = 10

  private var hosts: [String: Host] = [:]
  /// The period that runs, and how many lines it had.
  private var begin: Instant?
  private var told = 0

  mutating func verdict(on refusal: Refusal, at now: Instant) -> Verdict {
    if let begin, begin + Self.period > now {
      guard told < Self.lines else { return .keepQuiet }
    } else {
      (begin, told) = (now, 0)
      hosts = hosts.filter { $0.value.since + Self.memory > now }
    }
    var host = hosts[refusal.host] ?? Host(since: now)
    guard host.reasons.count < Self.reasonsOfHost,
      host.reasons.insert(refusal.reason.bounded).inserted
    else { return .keepQuiet }
    hosts[refusal.host] = host
    told += 1
    return told < Self.lines ? .tell : .tellLast
  }
}
