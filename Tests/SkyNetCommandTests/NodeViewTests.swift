import Logging
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetCommand

@Suite("The panel of a node")
struct NodeViewTests {
  private func status(_ clients: [String]) -> ServingStatus {
    var status = ServingStatus(slots: 4, done: ["ada": 40], retried: 1)
    status.running = clients.enumerated().map { number, client in
      ServingStatus.Running(
        number: UInt64(number), task: TaskID(sector: number), run: RunID(), client: client,
        elapsed: .seconds(1.5))
    }
    return status
  }

  private func view(
    _ clients: [String], _ engagements: [EngagementSummary] = [], frame: Int = 0
  ) -> NodeView {
    NodeView(
      status: status(clients), clients: Set(clients).sorted(), engagements: engagements,
      frame: frame)
  }

  @Test("It says for whom how many sectors are scanned, and moves while it scans")
  func scanning() {
    let lines = view(["ada", "bob", "ada", "ada"]).lines(columns: 80).map(\.text)
    #expect(lines[0] == "⠋ scanning 3 sectors for ada, 1 for bob")
    #expect(view(["ada"], frame: 1).lines(columns: 80)[0].text == "⠙ scanning 1 sector for ada")
    #expect(lines[1] == "████████████████  4 of 4 slots busy, 0 waiting, 40 done, 1 retried")
    #expect(lines[2] == "connected: ada, bob")
    #expect(lines.contains("  sector 2 for ada, 1.5 s"))
  }

  @Test("A node without work says so")
  func idle() {
    let lines = view([]).lines(columns: 80).map(\.text)
    #expect(
      Array(lines.prefix(3)) == [
        "· nothing to scan",
        "░░░░░░░░░░░░░░░░  0 of 4 slots busy, 0 waiting, 40 done, 1 retried",
        "no program is connected",
      ])
  }

  @Test("In a narrow window no figure loses its noun")
  func narrow() {
    let lines = view([]).lines(columns: 40).map(\.text)
    #expect(lines[1] == "0 of 4 slots busy, 0 waiting, 40 done …")
  }

  @Test("Its last words say for whom it scanned")
  func lastWords() {
    let text = { NodeView.lastWords($0, columns: 80).text }
    #expect(text(ServingStatus(slots: 4, done: ["a": 0], retried: 0)) == "nothing was scanned")
    #expect(
      text(ServingStatus(slots: 4, done: ["a": 1], retried: 2)) == "✓ 1 scan done for a, 2 retried")
    let many = ServingStatus(
      slots: 4, done: ["a": 1, "b": 9, "c": 2, "d": 0, "e": 3, "f": 4], retried: 0)
    #expect(text(many) == "✓ 19 scans done for b, f, e, c, and 1 more, 0 retried")
  }

  @Test("A node that was drained says who asked for it, also while scans run")
  func drained() {
    let status = ServingStatus(slots: 4, done: [:], retried: 0, drainReason: .asked(by: "ada@lab"))
    var busy = status
    busy.running = self.status(["bob"]).running
    let lines = [status, busy].map {
      NodeView(status: $0, clients: [], engagements: [], frame: 0).lines(columns: 80)[0].text
    }
    #expect(
      lines == [
        "· drained by ada@lab: takes nothing new",
        "⠋ scanning 1 sector for bob; drained by ada@lab: takes nothing new",
      ])
  }

  @Test("It says how far the engagements are")
  func engagements() {
    let summary = EngagementSummary(
      run: RunID(), name: "sky.fits", client: "ada", sectors: 200, completed: 99, failed: 1,
      rate: 3, secondsLeft: 25, pass: "pass 2 of 3, detection")
    #expect(
      view(["ada"], [summary]).lines(columns: 100).map(\.text).contains(
        "████████░░░░░░░░  sky.fits of ada: 99 of 200, 1 failed, 25 s left, pass 2 of 3, detection")
    )
  }

  @Test("Of a run over several images it says how many are done")
  func images() {
    let summary = EngagementSummary(
      run: RunID(), name: "300 images", client: "ada", sectors: 200, completed: 99, failed: 9,
      rate: 3, secondsLeft: 25, pass: "now night/a.fits",
      parts: .init(total: 300, done: 40, failed: 1, noun: "images"))
    #expect(
      view(["ada"], [summary]).lines(columns: 71).map(\.text).contains(
        "300 images of ada: 40 of 300 images, 1 failed, 25 s left, …night/a.fits"))
  }

  @Test("Many clients are counted")
  func manyClients() {
    let lines = view((0..<7).map { "c\($0)" }).lines(columns: 80).map(\.text)
    #expect(lines[0] == "⠋ scanning 1 sector for c0, 1 for c1, 1 for c2, 1 for c3, and for 3 more")
    #expect(lines[2] == "connected: c0, c1, c2, c3, and 3 more")
  }

  private func tail(_ count: Int) -> [LogTail.Line] {
    let tail = LogTail()
    for number in 0..<count {
      tail.add(
        LogLine(
          level: number == 0 ? .warning : .info, label: "x", message: "news",
          metadata: ["client": "c\(number)"]),
        at: Double(number))
    }
    return tail.lines
  }

  @Test("The nodes near are named, and the last lines of the log stand below, without a date")
  func log() {
    var view = view(["ada"])
    (view.nearby, view.log) = (["bob", "cid"], tail(2))
    let lines = view.lines(columns: 60, rows: 23)
    #expect(lines.map(\.text).contains("nodes near: bob, cid"))
    let last = lines.suffix(2)
    #expect(last.first?.text.hasSuffix("  warning: news (client c0)") == true)
    #expect(last.first?.parts.last?.style == .doubtful)
    #expect(last.last?.text == Figures.clock(1) + "  news (client c1)")
  }

  @Test(
    "It fits its window: the log gives way to what runs, but for three lines",
    arguments: [(23, 80), (9, 40), (59, 200), (3, 20), (1, 10)])
  func fits(rows: Int, columns: Int) {
    var view = view((0..<4).map { "client-\($0)" })
    view.log = tail(200)
    let lines = view.lines(columns: columns, rows: rows)
    #expect(lines.count <= rows)
    #expect(lines.allSatisfy { $0.columns <= columns })
    let logged = lines.count { $0.text.contains("news") }
    switch rows {
    case 59: #expect(logged == 12)
    case 23: #expect(logged >= 3)
    case 9: #expect(lines[1].text.contains("slots busy"))
    default: break
    }
  }

  @Test("Bars have engage's colours")
  func colours() {
    let lines = view(["ada", "bob"]).lines(columns: 80)
    #expect(lines[0].parts.first?.style == .good)
    #expect(lines[1].parts.map(\.style).prefix(2) == [.good, .faint])
    #expect(StyledText(bars: "██░░ 50%", .doubtful).rendered(withColors: false) == "██░░ 50%")
  }
}
