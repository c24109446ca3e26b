import SkyNetCore

/// What a name stands for at present.
struct NameAnswer: Hashable, Sendable {
  /// The endpoints with literal addresses, each once, in an order that stays the same while they do.
  var endpoints: [Endpoint]
  /// For how long the answer is good; `nil` if that was not told.
  var lifetime: Duration?
}

/// Why a name could not be looked up.
struct LookupFailure: Error, Hashable, Sendable {
  /// Whether the answer is that there is nothing of that name. Otherwise there was no answer, and what was known
  /// before may still hold.
  let isAbsence: Bool
  /// For people.
  let reason: String
}

/// A way to look names up.
protocol NameLookup: Sendable {
  /// Looks a name up, and blocks meanwhile.
  func lookUp(_ name: PeerReference) throws(LookupFailure) -> NameAnswer
}
