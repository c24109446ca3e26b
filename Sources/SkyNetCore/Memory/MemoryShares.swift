/// Which peers' bytes are taken when peers together make this process hold more than it should.
///
/// As long as all of it fits, every peer's are. Beyond that, a peer that holds more than an equal share waits, and
/// is read from again when others' calls were answered. If no one's calls can free enough, as all that
/// is held are parts of messages, one of those that wait is favoured and goes on until its messages are
/// whole, so that one peer always gets on; if it does not use that, it is turned out.
///
/// One that alone has more than any peer needs to is never favoured: it waits until its calls are answered.
///
/// So what is held is at most the limit, again as much by those below their shares, and what one peer
/// needs to have under way; and by a peer that is alone, no more than it needs.
package struct MemoryShares: Sendable {
  package typealias AccountID = Int

  /// What one peer makes this process hold.
  package struct Holding: Hashable, Sendable {
    package let id: AccountID
    /// In messages that are not whole yet, and in answers that it does not read.
    package let unfinished: Int
    /// In calls that are not answered.
    package let whole: Int

    package init(id: AccountID, unfinished: Int, whole: Int) {
      self.id = id
      self.unfinished = unfinished
      self.whole = whole
    }

    fileprivate var total: Int { unfinished + whole }
  }

  package enum Turn: UInt8, Sendable {
    case goesOn
    /// Nothing is read from it for now.
    case waits
    /// It goes on where others wait: it has to make progress.
    case isFavoured
  }

  private let limit: Int
  private let peerLimit: Int
  /// Those that wait or are favoured, the one that has waited longest first.
  private var waiting: [AccountID] = []
  private var favoured: AccountID?

  /// - Parameter peerLimit: as much as a peer needs to have under way at the most, in all.
  package init(limit: Int, peerLimit: Int = WireLimits().held) {
    self.limit = limit
    self.peerLimit = peerLimit
  }

  /// Whether others wait while one is favoured.
  package var othersWait: Bool { favoured != nil && waiting.count > 1 }

  /// Returns the turns of those that do not simply go on.
  ///
  /// - Parameter others: what is held besides, for peers that are gone.
  package mutating func turns(of holdings: [Holding], besides others: Int = 0) -> [AccountID: Turn]
  {
    let held = holdings.reduce(others) { $0 + $1.total }
    let share = max(0, limit - others) / max(1, holdings.count { $0.total > 0 })
    let over = held > limit ? holdings.filter { $0.total > share } : []
    let ids = Set(over.map(\.id))
    waiting.removeAll { !ids.contains($0) }
    waiting += over.map(\.id).filter { !waiting.contains($0) }
    favoured = favourite(among: over, share: share)
    var turns: [AccountID: Turn] = [:]
    for id in waiting { turns[id] = id == favoured ? .isFavoured : .waits }
    return turns
  }

  private func favourite(among over: [Holding], share: Int) -> AccountID? {
    // What some wait for comes free by itself.
    guard !over.contains(where: { $0.whole > share }) else { return nil }
    let able = Set(over.filter { $0.unfinished > 0 && $0.total <= peerLimit }.map(\.id))
    if let favoured, able.contains(favoured) { return favoured }
    return waiting.first(where: able.contains)
  }
}
