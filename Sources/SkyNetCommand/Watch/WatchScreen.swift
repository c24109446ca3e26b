import SkyNetCluster
import SkyNetViews

/// The window of `skynet watch`, as lines that fit into it.
struct WatchScreen {
  typealias Line = FullScreen.Line

  let view: ClusterView
  let window: WindowSize

  /// The lines of the window: a head, the page, and a line of keys. The page's scroll is fitted to it.
  func lines(_ state: inout WatchState) -> [Line] {
    let rows = max(0, window.rows - 2)
    var page: [Line]
    switch state.page {
    case .overview: page = overview(state, rows: rows)
    case .details: page = details(state)
    case .foreignNodes: page = Self.plain(foreignNodes)
    case .help: page = Self.plain(help)
    }
    if state.page != .overview {
      state.fitScroll(lines: page.count, rows: rows)
      page = Array(page.dropFirst(state.scroll))
    }
    page = Array(page.prefix(rows))
    page += Array(repeating: Line(text: ""), count: rows - page.count)
    let all = [head] + page + [keys(state)]
    return all.prefix(max(0, window.rows)).map { line in
      Line(text: line.text.prefix(columns: window.columns), emphasis: line.emphasis)
    }
  }

  // MARK: Frame

  private var head: Line {
    let clock = Figures.clock(view.now)
    let room = window.columns - clock.columns - 2
    let title = window.columns >= 60 ? ["\(Program.name) watch"] : []
    let line = ClusterHead.line(
      title + ClusterHead.parts(view), separator: "  ", columns: max(12, room))
    let text = room >= 12 ? line.padded(to: room + 2) + clock : line
    return Line(text: StyledText(text), emphasis: .heading)
  }

  private func keys(_ state: WatchState) -> Line {
    let back = ["q leave", "Esc back", "↑↓ scroll"]
    let overview = [
      "q leave", "↑↓ pick", "Enter details",
      "s sort (\(state.list == .systems ? state.systemOrder.rawValue : state.engagementOrder.rawValue))",
      "Tab other list", "? help",
    ]
    let text = ClusterHead.line(
      state.page == .overview ? overview : back, separator: "  ", columns: window.columns)
    return Line(text: StyledText(text, .faint))
  }

  // MARK: Overview

  private func overview(_ state: WatchState, rows: Int) -> [Line] {
    let systems = state.systems(view)
    let engagements = state.engagements(view)
    let foreign = foreignLine
    let room = OverviewRoom(
      rows: rows - foreign.count, systems: systems.count, engagements: engagements.count,
      notices: view.notices.latest.count)
    let systemTable = ClusterTables.systems(systems, in: view)
    let engagementTable = ClusterTables.engagements(engagements.map(\.summary))
    return list(
      systemTable, rows: room.systems,
      picked: state.list == .systems ? systems.firstIndex { $0.id == state.system } : nil,
      hasKeys: state.list == .systems,
      empty: "no system yet: start one with `\(Program.name) node`")
      + list(
        engagementTable, rows: room.engagements,
        picked: state.list == .engagements
          ? engagements.firstIndex { $0.id == state.engagement } : nil,
        hasKeys: state.list == .engagements,
        empty: "no engagement: start one with `\(Program.name) engage`")
      + foreign + notices(rows: room.notices)
  }

  /// A table's lines in so many rows, around the picked one.
  private func list(
    _ table: TextTable, rows: Int, picked: Int?, hasKeys: Bool, empty: String
  ) -> [Line] {
    guard rows > 0 else { return [] }
    let all = table.lines(columns: window.columns - 2)
    var lines = [Line(text: StyledText(hasKeys ? "▸ " : "  ") + all[0], emphasis: .heading)]
    let items = all.dropFirst().enumerated().map { index, text in
      Line(
        text: StyledText(index == picked ? "> " : "  ") + text,
        emphasis: index == picked ? .selected : .none)
    }
    if items.isEmpty { lines.append(Line(text: StyledText("  " + empty, .faint))) }
    let room = rows - 1
    guard items.count > room else { return Array((lines + items).prefix(rows)) }
    // The last row says how many there are that are not shown.
    let kept = max(0, room - 1)
    let first = max(0, min((picked ?? 0) - kept + 1, items.count - kept))
    lines += items[first..<(first + kept)]
    if room > 0 {
      lines.append(Line(text: StyledText("  and \(items.count - kept) more", .faint)))
    }
    return lines
  }

  private func notices(rows: Int) -> [Line] {
    guard rows > 0 else { return [] }
    return view.notices.latest.suffix(rows).map { notice in
      Line(text: ClusterHead.notice(notice, columns: window.columns))
    }
  }

  private var foreignLine: [Line] {
    guard !view.foreignNodes.isEmpty else { return [] }
    let text = ForeignNodesText(view.foreignNodes, ownFingerprint: view.ownFingerprint)
    let more = "  (o: how to join)"
    let room = window.columns - more.columns
    let names = text.names.showingControls
    return [
      Line(
        text: StyledText(
          names.columns <= room ? names + more : names.cut(to: window.columns), .doubtful))
    ]
  }

  // MARK: Pages

  private static func plain(_ texts: [String]) -> [Line] {
    texts.map { Line(text: StyledText($0)) }
  }

  /// A word that is longer than the window is cut; all else goes on in the next line.
  private func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if longer.columns > window.columns, !line.isEmpty {
        lines.append(line)
        line = "  " + word
      } else {
        line = longer
      }
    }
    return lines + [line]
  }

  private var foreignNodes: [String] {
    guard !view.foreignNodes.isEmpty else {
      return wrapped("no node of another cluster is seen here")
    }
    let text = ForeignNodesText(view.foreignNodes, ownFingerprint: view.ownFingerprint)
    return
      (([text.names, ""] + text.advice + [""]).map(\.showingControls)
      + ["Start programs whose account got another key anew; see \(Program.name) key --help."])
      .flatMap(wrapped)
  }

  private var help: [String] {
    [
      "q, Ctrl-C     leave",
      "↑ ↓ PgUp PgDn pick a line, or scroll a page",
      "Tab           systems or engagements",
      "Enter         details of what is picked",
      "s             sort by something else",
      "o             nodes of other clusters",
      "Esc           back",
      "",
    ]
      + wrapped(
        "SLOTS: scans that run, of as many as may. WAIT: scans that wait for a slot. RATE: scans that "
          + "ended per second, over five seconds. DONE and FAILED: scans since the system started. "
          + "LOAD: the load average of its machine over a minute.")
  }

  private func details(_ state: WatchState) -> [Line] {
    let room = window.columns
    switch state.list {
    case .systems:
      guard let system = state.system.flatMap(view.system) else {
        return Self.plain(["it is gone"])
      }
      return WatchDetails(view: view, columns: room).lines(system)
    case .engagements:
      guard let engagement = state.engagement.flatMap(view.engagement) else {
        return Self.plain(["it is over"])
      }
      return WatchDetails(view: view, columns: room).lines(engagement)
    }
  }
}

/// How many rows of the overview go to each of its parts, headings included.
struct OverviewRoom: Equatable {
  let systems: Int
  let engagements: Int
  let notices: Int

  init(rows: Int, systems: Int, engagements: Int, notices: Int) {
    let rows = max(0, rows)
    let wanted = (systems: max(1, systems) + 1, engagements: max(1, engagements) + 1)
    // A few notices are worth more than the last of many systems.
    let leastNotices = rows >= 8 ? min(notices, rows / 5) : 0
    let lists = rows - leastNotices
    let all = wanted.systems + wanted.engagements
    if all <= lists {
      self.systems = wanted.systems
      self.engagements = wanted.engagements
    } else {
      let third = max(min(3, lists / 2), lists / 3)
      let forEngagements = min(wanted.engagements, max(third, lists - wanted.systems))
      self.engagements = forEngagements
      self.systems = min(wanted.systems, lists - forEngagements)
    }
    self.notices = min(notices, rows - self.systems - self.engagements)
  }
}
