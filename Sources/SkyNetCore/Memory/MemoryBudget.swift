import Synchronization

/// The bytes that all peers together make this process hold: messages that are not whole, calls
/// that are not answered, and answers that are not read.
///
/// While everything fits, a connection's account costs two additions to atomic numbers for each
/// message, and no lock. `MemoryShares` decides what follows when it does not fit.
package final class MemoryBudget: Sendable {
  /// The limit of a process that serves scans: as much as it tells each peer that it takes.
  package static let forServing = WireLimits().held
  /// The limit of a process that only engages others. It takes answers as soon as they are whole.
  package static let forEngaging = 32 << 20

  package final class Account: Sendable {
    fileprivate let id: MemoryShares.AccountID
    private let budget: MemoryBudget
    fileprivate let told: @Sendable () -> Void
    fileprivate let unfinished = Atomic<Int>(0)
    fileprivate let whole = Atomic<Int>(0)
    private let turnNumber = Atomic<UInt8>(MemoryShares.Turn.goesOn.rawValue)

    fileprivate init(
      _ id: MemoryShares.AccountID, of budget: MemoryBudget, told: @escaping @Sendable () -> Void
    ) {
      self.id = id
      self.budget = budget
      self.told = told
    }

    /// Whether this process reads from the peer.
    package var turn: MemoryShares.Turn {
      MemoryShares.Turn(rawValue: turnNumber.load(ordering: .acquiring)) ?? .goesOn
    }

    /// The bytes held in messages of the peer that are not whole or not read changed by `count`.
    package func changeUnfinished(by count: Int) {
      unfinished.add(count, ordering: .relaxed)
      budget.changed(by: count)
    }

    /// The bytes held in calls of the peer that are not answered changed by `count`.
    package func changeWhole(by count: Int) {
      whole.add(count, ordering: .relaxed)
      budget.changed(by: count)
    }

    package var patience: Duration { budget.patience }

    /// Whether other peers wait for memory while this one is favoured.
    package var holdsUpOthers: Bool {
      turn == .isFavoured && budget.state.withLock { $0.shares.othersWait }
    }

    /// The connection ended, and its messages with it. Its calls may be answered later, and count
    /// until then.
    package func close() {
      budget.state.withLock { _ = $0.accounts.removeValue(forKey: id) }
      budget.changed(by: -unfinished.exchange(0, ordering: .relaxed))
    }

    /// Returns whether the turn changed.
    fileprivate func set(_ turn: MemoryShares.Turn) -> Bool {
      turnNumber.exchange(turn.rawValue, ordering: .acquiringAndReleasing) != turn.rawValue
    }
  }

  private struct State {
    var shares: MemoryShares
    var accounts: [MemoryShares.AccountID: Account] = [:]
    var nextID: MemoryShares.AccountID = 0
  }

  /// How long a favoured peer may make no progress while others wait.
  package let patience: Duration
  private let limit: Int
  private let held = Atomic<Int>(0)
  /// Whether a peer waits or is favoured.
  private let isShort = Atomic<Bool>(false)
  private let state: Mutex<State>

  /// - Parameter limit: the bytes beyond which peers that hold more than their share wait.
  package init(limit: Int = MemoryBudget.forServing, patience: Duration = .seconds(5)) {
    self.limit = limit
    self.patience = patience
    state = Mutex(State(shares: MemoryShares(limit: limit)))
  }

  package var heldBytes: Int { held.load(ordering: .relaxed) }

  /// - Parameter told: called on any thread when the account's ``Account/turn`` changes.
  package func account(told: @escaping @Sendable () -> Void) -> Account {
    state.withLock { state in
      state.nextID += 1
      let account = Account(state.nextID, of: self, told: told)
      state.accounts[account.id] = account
      return account
    }
  }

  fileprivate func changed(by count: Int) {
    let held = held.add(count, ordering: .acquiringAndReleasing).newValue
    if held > limit || isShort.load(ordering: .acquiring) { updateTurns() }
  }

  private func updateTurns() {
    let changed = state.withLock { state in
      let holdings = state.accounts.values.map {
        MemoryShares.Holding(
          id: $0.id, unfinished: $0.unfinished.load(ordering: .relaxed),
          whole: $0.whole.load(ordering: .relaxed))
      }.sorted { $0.id < $1.id }
      // Connections that ended, while their scans go on, hold the rest.
      let others =
        held.load(ordering: .relaxed) - holdings.reduce(0) { $0 + $1.unfinished + $1.whole }
      let turns = state.shares.turns(of: holdings, besides: max(0, others))
      isShort.store(!turns.isEmpty, ordering: .releasing)
      return state.accounts.values.filter { $0.set(turns[$0.id] ?? .goesOn) }
    }
    for account in changed { account.told() }
  }
}
