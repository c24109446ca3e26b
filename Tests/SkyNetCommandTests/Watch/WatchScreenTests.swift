import SkyNetCore
import SkyNetViews
import Testing

@testable import SkyNetCluster
@testable import SkyNetCommand

@Suite("The window of skynet watch")
struct WatchScreenTests {
  private func lines(
    _ view: ClusterView, _ state: inout WatchState, columns: Int = 80, rows: Int = 24
  ) -> [FullScreen.Line] {
    WatchScreen(view: view, window: WindowSize(columns: columns, rows: rows)).lines(&state)
  }

  private func texts(
    _ view: ClusterView, columns: Int = 80, rows: Int = 24
  ) -> [String] {
    var state = WatchState()
    return lines(view, &state, columns: columns, rows: rows).map(\.text.text)
  }

  @Test(
    "Every page fits into every window, however many systems there are and whatever their names",
    arguments: [(80, 24), (40, 10), (20, 5), (10, 3), (1, 1), (200, 60)], [0, 3, 100])
  func fits(window: (columns: Int, rows: Int), count: Int) throws {
    let names = (0..<count).map {
      ["s\($0)", "星空-\($0)", "a\u{1B}[2J\($0)", "x" + String(repeating: "y", count: 60)][$0 % 4]
    }
    var cluster = try SampleCluster(systems: count, engagements: count / 2, names: names)
    cluster.view.sees(
      [ForeignNode(name: "other", host: "10.0.0.7", fingerprint: "d8f2")], at: 3)
    let keys: [[Key]] = [
      [], [.down, .down, .end], [.tab, .down], [.enter], [.pageDown, .end],
      [.escape, .tab, .enter],
      [.character("o")], [.character("?")],
    ]
    var state = WatchState()
    for pressed in keys {
      for key in pressed { _ = state.press(key, in: cluster.view) }
      let lines = lines(cluster.view, &state, columns: window.columns, rows: window.rows)
      #expect(lines.count == window.rows)
      #expect(lines.allSatisfy { $0.text.columns <= window.columns })
      #expect(lines.allSatisfy { !$0.text.text.contains("\u{1B}") })
    }
  }

  @Test("At 80 × 24 systems, engagements and notices are there, with their figures")
  func overview() throws {
    let texts = texts(try SampleCluster(systems: 3).view)
    #expect(texts[0].hasPrefix("skynet watch  3 systems  3 of 12 slots busy"))
    #expect(texts[1].hasPrefix("▸ SYSTEM"))
    #expect(
      texts.contains { $0.hasPrefix("  s2") && $0.contains("████░░░░ 2/4") && $0.contains("ada 2") }
    )
    #expect(
      texts.contains { $0.hasPrefix("  s0") && $0.contains("░░░░░░░░ 0/4") && $0.contains("idle") })
    #expect(
      texts.contains {
        $0.contains("sky0.fits") && $0.contains("60%") && $0.contains("120/200")
          && $0.contains("25 s")
      })
    #expect(texts.contains { $0.hasSuffix("connected s1: 4 slots at 10.0.0.1:4000") })
    #expect(texts.last?.hasPrefix("q leave  ↑↓ pick") == true)
  }

  @Test("At 40 × 10 the names, the bars, whom they scan for and the progress are left")
  func small() throws {
    let texts = texts(try SampleCluster(systems: 3).view, columns: 40, rows: 10)
    #expect(texts.contains { $0.contains("s2") && $0.contains("2/4") && $0.contains("ada 2") })
    #expect(
      texts.contains { $0.contains("sky0.fits") && $0.contains("60%") && $0.contains("25 s") })
    #expect(texts.last?.hasPrefix("q leave") == true)
  }

  @Test("Systems that do not fit are counted, and the picked one is always among those shown")
  func manySystems() throws {
    let view = try SampleCluster(systems: 60).view
    #expect(texts(view).contains { $0.wholeMatch(of: /\ \ and \d\d more/) != nil })
    var state = WatchState()
    for _ in 0..<40 { _ = state.press(.down, in: view) }
    let picked = lines(view, &state).filter { $0.emphasis == .selected }
    #expect(picked.count == 1)
    #expect(picked.first?.text.text.hasPrefix("> ") == true)
  }

  @Test("A picked system stays picked when the order changes")
  func order() throws {
    let view = try SampleCluster(systems: 5).view
    var state = WatchState()
    _ = state.press(.down, in: view)
    _ = state.press(.down, in: view)
    #expect(state.systems(view).map(\.name) == ["s0", "s1", "s2", "s3", "s4"])
    _ = state.press(.character("s"), in: view)
    #expect(state.systemOrder == .busy)
    #expect(state.systems(view).map(\.name) == ["s4", "s3", "s2", "s1", "s0"])
    let picked = lines(view, &state).first { $0.emphasis == .selected }
    #expect(picked?.text.text.hasPrefix("> s1") == true)
    for _ in 0..<4 { _ = state.press(.character("s"), in: view) }
    #expect(state.systemOrder == .name)
  }

  @Test("Details of a system name its scans, and those of an engagement its systems")
  func details() throws {
    let cluster = try SampleCluster(systems: 4)
    var state = WatchState()
    for key in [Key.down, .down, .down, .down, .enter] { _ = state.press(key, in: cluster.view) }
    let system = lines(cluster.view, &state).map(\.text.text)
    #expect(system[1] == "s3")
    #expect(system.contains { $0.contains("offers") && $0.contains("sources/2") })
    #expect(system.contains { $0.contains("1.5") && $0.hasSuffix("ada, sky0.fits") })
    for key in [Key.escape, .tab, .enter] { _ = state.press(key, in: cluster.view) }
    let engagement = lines(cluster.view, &state).map(\.text.text)
    #expect(engagement[1] == "sky0.fits")
    #expect(engagement.contains { $0.contains("run") && $0.contains(cluster.runs[0].short) })
    #expect(engagement.contains { $0.contains("scans on") && $0.contains("s3 3, s2 2, s1 1") })
  }

  @Test("What was picked may go away while it is looked at")
  func gone() throws {
    var cluster = try SampleCluster(systems: 1)
    var state = WatchState()
    for key in [Key.tab, .enter] { _ = state.press(key, in: cluster.view) }
    cluster.view.polled([:], at: 100)
    #expect(lines(cluster.view, &state)[1].text.text == "it is over")
    _ = state.press(.escape, in: cluster.view)
    #expect(state.page == .overview)
  }

  @Test("A silent system counts its seconds, and one that has gone says why")
  func conditions() throws {
    var cluster = try SampleCluster(systems: 2)
    cluster.view.apply(.silent(cluster.systems[0], for: .seconds(2)), at: 10)
    cluster.view.apply(.disconnected(cluster.systems[1], reason: "silent for 5.0 s"), at: 11)
    let texts = texts(cluster.view)
    #expect(texts.contains { $0.contains("s0") && $0.contains("silent for 3 s") })
    #expect(texts.contains { $0.contains("s1") && $0.contains("gone: silent for 5.0 s") })
    #expect(texts[0].contains("1 system "))
  }

  @Test("Nodes of other clusters have a line, and a page with the commands")
  func foreignNodes() throws {
    var cluster = try SampleCluster(systems: 1)
    cluster.view.sees(
      [ForeignNode(name: "other", host: "10.0.0.7", fingerprint: "d8f2000000000000")], at: 3)
    #expect(
      texts(cluster.view).contains {
        $0.hasPrefix("1 node of another cluster: other (key d8f2…, yours cead…)")
      })
    var state = WatchState()
    _ = state.press(.character("o"), in: cluster.view)
    let page = lines(cluster.view, &state).map(\.text.text)
    #expect(
      page.contains(
        "to let it in: run `skynet invite` here, and the line that it prints on 10.0.0.7"))
  }

  @Test("q and Ctrl-C leave, on every page", arguments: [Key.character("q"), .interrupt])
  func leaving(key: Key) throws {
    let view = try SampleCluster(systems: 1).view
    for page in [[], [Key.enter], [.character("?")], [.character("o")]] {
      var state = WatchState()
      for key in page {
        let stays = state.press(key, in: view)
        #expect(stays)
      }
      let stays = state.press(key, in: view)
      #expect(!stays)
    }
  }

  @Test("Room is shared so that something of each part is seen")
  func room() {
    let many = OverviewRoom(rows: 22, systems: 100, engagements: 100, notices: 100)
    #expect(many.systems + many.engagements + many.notices == 22)
    #expect(many.systems > many.engagements && many.engagements >= 5 && many.notices >= 4)
    let few = OverviewRoom(rows: 22, systems: 2, engagements: 1, notices: 100)
    #expect(few.systems == 3 && few.engagements == 2 && few.notices == 17)
    let none = OverviewRoom(rows: 0, systems: 2, engagements: 1, notices: 1)
    #expect(none.systems == 0 && none.engagements == 0 && none.notices == 0)
  }

  @Test("A plain report has the tables, the other clusters and the notices since the last one")
  func report() throws {
    var cluster = try SampleCluster(systems: 2)
    cluster.view.sees(
      [ForeignNode(name: "other", host: "10.0.0.7", fingerprint: "d8f2000000000000")], at: 3)
    let lines = WatchReport(view: cluster.view, seenNotices: 1).text.split(separator: "\n")
    #expect(lines[0].contains("  2 systems, 1 of 8 slots busy"))
    #expect(lines[1].hasPrefix("SYSTEM  SLOTS") && lines[1].contains("  DONE  RETRIED  LOAD"))
    #expect(lines[3].hasPrefix("s1      1/4 "))
    #expect(lines.contains { $0.hasPrefix("sky0.fits   ada  60%") })
    #expect(
      lines.contains(
        "to join it: run `skynet invite` on 10.0.0.7, and the line that it prints here"))
    #expect(lines.count { $0.contains("connected s") } == 1)
    #expect(!lines.contains { $0.contains("█") })
  }
}
