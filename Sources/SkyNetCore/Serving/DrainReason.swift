/// Why a system takes no new calls.
package enum DrainReason: Hashable, Sendable {
  /// A client asked for it, and any client may take that back.
  case asked(by: String)
  /// The process is about to end, which cannot be taken back. Peers suppose so too if it tells no
  /// client's name.
  case leaving

  /// The name of the client that asked; `nil` if the process is about to end.
  package var client: String? {
    if case .asked(let client) = self { client } else { nil }
  }
}
