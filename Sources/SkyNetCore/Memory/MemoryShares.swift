/// Decides which peers to read from when all peers together make this process hold more than it
/// should.
///
/// Then a peer that holds more than an equal share waits, and is read from again once calls of peers
/// were answered. If no answer can free enough, because only parts of messages are held, one of the
/// waiting peers is favoured and goes on until its messages are whole. If it makes no progress, its
/// connection is closed. A peer that by itself has more under way than any peer needs is never
/// favoured.
///
/// So this process holds at most the limit, as much again from peers below their shares, and what one
/// peer needs to have under way. From a peer that is alone it holds no more than that peer needs.
package struct MemoryShares: Sendable {
  typealias AccountID = Int

  struct Holding: Hashable, Sendable {
    let id: AccountID
    /// In messages that are not whole yet, and in answers that the peer does not read.
    let unfinished: Int
    /// In calls that are not answered.
    let whole: Int

    fileprivate var total: Int { unfinished + whole }
  }

  package enum Turn: UInt8, Sendable {
    case goesOn
    /// The peer is not read from for now.
    case waits
    /// The peer is read from while others wait, because it has to make progress.
    case isFavoured
  }

  private let limit: Int
  private let peerLimit: Int
  /// The peers that wait or are favoured; the one that has waited longest is first.
  private var waiting: [AccountID] = []
  private var favoured: AccountID?

  /// - Parameter peerLimit: the most bytes, in all, that a peer needs to have under way.
  init(limit: Int, peerLimit: Int = WireLimits().held) {
    self.limit = limit
    self.peerLimit = peerLimit
  }

  /// Whether other peers wait while one is favoured.
  var othersWait: Bool { favoured != nil && waiting.count > 1 }

  /// Returns the turns of all peers that do not simply go on.
  ///
  /// - Parameter others: the bytes held for peers that are gone.
  mutating func turns(of holdings: [Holding], besides others: Int = 0) -> [AccountID: Turn] {
    let held = holdings.reduce(others) { $0 + $1.total }
    let share = max(0, limit - others) / max(1, holdings.count { $0.total > 0 })
    let overShare = held > limit ? holdings.filter { $0.total > share } : []
    let ids = Set(overShare.map(\.id))
    waiting.removeAll { !ids.contains($0) }
    waiting += overShare.map(\.id).filter { !waiting.contains($0) }
    favoured = favourite(among: overShare, share: share)
    var turns: [AccountID: Turn] = [:]
    for id in waiting { turns[id] = id == favoured ? .isFavoured : .waits }
    return turns
  }

  private func favourite(among overShare: [Holding], share: Int) -> AccountID? {
    // No peer is favoured while answers to calls will free memory.
    guard !overShare.contains(where: { $0.whole > share }) else { return nil }
    let able = Set(overShare.filter { $0.unfinished > 0 && $0.total <= peerLimit }.map(\.id))
    if let favoured, able.contains(favoured) { return favoured }
    return waiting.first(where: able.contains)
  }
}
