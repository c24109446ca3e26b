import SkyNetCluster
import SkyNetCore

/// Decides what the answers of lookups mean: which peers appear and vanish, when a name is looked up again, and
/// what people are told.
///
/// Several names may lead to one address. It is found with the first of them, and lost with the last.
struct NamedAddresses {
  /// What to do after a lookup.
  struct Step: Equatable {
    var events: [DiscoveryEvent] = []
    /// A line for the log. A fault is told once while it lasts.
    var line: Line?
    /// How long to wait before the name is looked up again.
    var wait: Duration
  }

  enum Line: Equatable {
    case warning(String)
    case info(String)
  }

  private struct Name {
    var endpoints: [Endpoint] = []
    var backoff = NamedAddresses.backoff
    var toldFault: String?
  }

  /// An answer counts for so long at least, even if its records live shorter, and at most.
  static let (shortest, longest) = (Duration.seconds(1), Duration.seconds(30))
  /// How long an answer counts whose lifetime is not told, as with `getaddrinfo`.
  static let usual = Duration.seconds(5)
  private static let backoff = Backoff(first: shortest, limit: longest)

  private var names: [PeerReference: Name] = [:]
  private var hasEnded = false

  /// A lookup was answered.
  mutating func answered(_ name: PeerReference, _ answer: NameAnswer) -> Step {
    var state = names[name] ?? Name()
    let wasFaulty = state.toldFault != nil
    let hasChanged = state.endpoints != answer.endpoints
    state.backoff.succeeded()
    state.toldFault = nil
    let events = replace(name, state, with: answer.endpoints)
    let list = answer.endpoints.map(\.description).joined(separator: ", ")
    return Step(
      events: events,
      line: !hasEnded && (hasChanged || wasFaulty) ? .info("\(name) is \(list)") : nil,
      wait: answer.lifetime.map { min(max($0, Self.shortest), Self.longest) } ?? Self.usual)
  }

  /// A lookup failed. What was known before is kept if nothing was answered.
  mutating func failed(_ name: PeerReference, _ failure: LookupFailure) -> Step {
    var state = names[name] ?? Name()
    let isNew = state.toldFault != failure.reason
    state.toldFault = failure.reason
    let wait = state.backoff.failed()
    let events = replace(
      name, state, with: failure.isAbsence ? [] : state.endpoints)
    return Step(
      events: events,
      line: !hasEnded && isNew
        ? .warning("\(name) cannot be looked up: \(failure.reason); trying again") : nil,
      wait: wait)
  }

  /// Nobody looks for peers any more. The resolver may take longer than a command does: with libnss-mdns, five seconds
  /// for a name that is not known.
  ///
  /// - Returns: a warning for each name of which nothing is known, since no lookup has ended. Later ones tell nothing.
  mutating func ended(_ references: [PeerReference]) -> [String] {
    hasEnded = true
    var seen: Set<PeerReference> = []
    return references.filter { names[$0] == nil && seen.insert($0).inserted }.map { name in
      var hint = ""
      if case .endpoint(let endpoint) = name { hint = endpoint.hintIfUnknown }
      return "\(name) was not found: its lookup has not ended yet\(hint)"
    }
  }

  private mutating func replace(
    _ name: PeerReference, _ state: Name, with endpoints: [Endpoint]
  ) -> [DiscoveryEvent] {
    let before = present
    names[name] = state
    names[name]?.endpoints = endpoints
    let after = present
    let lost = Set(state.endpoints).filter { before.contains($0) && !after.contains($0) }
    return state.endpoints.filter(lost.contains).map { .lost(name: $0.description) }
      + endpoints.filter { !before.contains($0) }.map {
        .found(DiscoveredPeer(name: $0.description, endpoints: [$0]))
      }
  }

  private var present: Set<Endpoint> { Set(names.values.flatMap(\.endpoints)) }
}
