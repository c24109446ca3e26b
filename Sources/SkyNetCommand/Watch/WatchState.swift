import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// What the user of `skynet watch` looks at: a page, an order, and what is picked. Keys change it.
struct WatchState {
  enum Page { case overview, details, foreignNodes, help }

  /// The two lists of the overview.
  enum List { case systems, engagements }

  enum SystemOrder: String, CaseIterable { case name, busy, rate, load, retried }

  enum EngagementOrder: String, CaseIterable {
    case start, name, client, progress
    case timeLeft = "time left"
  }

  private(set) var page = Page.overview
  private(set) var list = List.systems
  private(set) var systemOrder = SystemOrder.name
  private(set) var engagementOrder = EngagementOrder.start
  private(set) var system: Incarnation?
  private(set) var engagement: RunID?
  /// The first line of a page that is longer than the window.
  private(set) var scroll = 0
  /// How many lines up and down a page key goes.
  private static let pageLines = 10

  // MARK: Orders

  func systems(_ view: ClusterView) -> [ClusterSystem] {
    let time = view.now
    return view.systems.sorted { one, other in
      let (first, second) = (rank(one, at: time), rank(other, at: time))
      return first == second
        ? (one.name, one.system.address) < (other.name, other.system.address) : first > second
    }
  }

  private func rank(_ system: ClusterSystem, at time: Double) -> Double {
    switch systemOrder {
    case .name: 0
    case .busy: Double(system.running)
    case .rate: system.rate(at: time)
    case .load: system.load ?? -1
    case .retried: Double(system.retried)
    }
  }

  func engagements(_ view: ClusterView) -> [ClusterEngagement] {
    let all = view.engagements
    return switch engagementOrder {
    case .start: all
    case .name: all.sorted { $0.summary.name < $1.summary.name }
    case .client: all.sorted { $0.summary.client < $1.summary.client }
    case .progress: all.sorted { $0.summary.fraction > $1.summary.fraction }
    case .timeLeft:
      all.sorted { ($0.summary.secondsLeft ?? .infinity) < ($1.summary.secondsLeft ?? .infinity) }
    }
  }

  // MARK: Keys

  /// Does what a key asks for. Returns `false` if it asks to leave.
  mutating func press(_ key: Key, in view: ClusterView) -> Bool {
    switch key {
    case .character("q"), .character("Q"), .interrupt: return false
    case .character("?"), .character("h"): turn(to: page == .help ? .overview : .help)
    case .character("o"): turn(to: page == .foreignNodes ? .overview : .foreignNodes)
    case .escape, .backspace, .left: turn(to: .overview)
    case .enter, .right:
      page == .overview ? showDetails(view) : turn(to: .overview)
    case .tab: if page == .overview { list = list == .systems ? .engagements : .systems }
    case .character("s"): if page == .overview { sort() }
    case .up, .character("k"): move(by: -1, in: view)
    case .down, .character("j"): move(by: 1, in: view)
    case .pageUp: move(by: -Self.pageLines, in: view)
    case .pageDown, .character(" "): move(by: Self.pageLines, in: view)
    case .home, .character("g"): move(by: -1_000_000, in: view)
    case .end, .character("G"): move(by: 1_000_000, in: view)
    case .character: break
    }
    return true
  }

  private mutating func turn(to page: Page) {
    self.page = page
    scroll = 0
  }

  private mutating func showDetails(_ view: ClusterView) {
    let isPicked = list == .systems ? system != nil : engagement != nil
    if !isPicked { move(by: 0, in: view) }
    if list == .systems ? system != nil : engagement != nil { turn(to: .details) }
  }

  private mutating func sort() {
    if list == .systems {
      systemOrder = systemOrder.next
    } else {
      engagementOrder = engagementOrder.next
    }
  }

  private mutating func move(by lines: Int, in view: ClusterView) {
    guard page == .overview else {
      scroll = max(0, scroll + lines)
      return
    }
    switch list {
    case .systems: system = Self.moved(system, by: lines, in: systems(view).map(\.id))
    case .engagements:
      engagement = Self.moved(engagement, by: lines, in: engagements(view).map(\.id))
    }
  }

  /// The first key picks the first item, whichever way it goes.
  private static func moved<ID: Equatable>(_ id: ID?, by lines: Int, in all: [ID]) -> ID? {
    guard !all.isEmpty else { return nil }
    guard let now = id.flatMap({ all.firstIndex(of: $0) }) else { return all.first }
    return all[max(0, min(all.count - 1, now + lines))]
  }

  /// A page of this many lines is shown in so many rows: it is not scrolled beyond its end.
  mutating func fitScroll(lines: Int, rows: Int) {
    scroll = max(0, min(scroll, lines - rows))
  }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
  fileprivate var next: Self {
    let all = Self.allCases
    let now = all.firstIndex(of: self) ?? 0
    return all[(now + 1) % all.count]
  }
}
