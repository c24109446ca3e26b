import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetViews

@Suite("Views of a cluster")
struct ClusterViewTests {
  private var view = ClusterView(ownFingerprint: "cead000000000000", at: 0)

  private func system(_ name: String, slots: Int = 4) -> RemoteSystem {
    RemoteSystem(
      Hello(name: name, incarnation: Incarnation(), slots: slots, timeout: .seconds(5), scans: []),
      name: name, address: "10.0.0.1:4000")
  }

  private func summary(
    _ run: RunID, completed: Int, rate: Double = 2, client: String = "ada"
  ) -> EngagementSummary {
    EngagementSummary(
      run: run, name: "sky", client: client, sectors: 200, completed: completed, failed: 0,
      rate: rate, secondsLeft: 10, pass: nil)
  }

  private func status(
    running: Int = 0, done: Int = 0, run: RunID = RunID(), _ engagements: EngagementSummary...
  ) throws -> SystemStatus {
    let scans = (0..<running).map { sector in
      #"{"sector":\#(sector),"pass":0,"client":"ada","run":"\#(run)","seconds":1.5}"#
    }
    let told = try engagements.map {
      String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
    }
    let text =
      #"{"slots":4,"running":{"ada":\#(running)},"waiting":{},"done":{"ada":\#(done)},"failed":0,"#
      + #""scans":[\#(scans.joined(separator: ","))],"isDraining":false,"#
      + #""engagements":[\#(told.joined(separator: ","))]}"#
    return try JSONDecoder().decode(SystemStatus.self, from: Data(text.utf8))
  }

  private var texts: [String] { view.notices.latest.map(\.text) }

  @Test("The same engagement, told by several nodes, is shown once, as the latest of them says")
  mutating func mergedEngagements() throws {
    let (a, b, run) = (system("a"), system("b"), RunID())
    view.apply(.connected(a), at: 1)
    view.apply(.connected(b), at: 1)
    view.polled(
      [
        a.incarnation: try status(running: 2, run: run, summary(run, completed: 40)),
        b.incarnation: try status(running: 3, run: run, summary(run, completed: 42)),
      ], at: 2)
    let engagement = try #require(view.engagements.first)
    #expect(view.engagements.count == 1)
    #expect(engagement.summary.completed == 42 && engagement.running == ["a": 2, "b": 3])
    #expect(view.running == 5 && view.slots == 8)
    // The node that heard last does not answer once: the counts do not go back.
    view.polled([a.incarnation: try status(summary(run, completed: 41))], at: 3)
    #expect(view.engagements.first?.summary.completed == 42)
    #expect(texts.last == "ada engages: sky, 200 sectors")
  }

  @Test("An engagement over several images is as far as its images are, and its notices count them")
  mutating func images() throws {
    let (a, run) = (system("a"), RunID())
    view.apply(.connected(a), at: 1)
    let told = EngagementSummary(
      run: run, name: "300 images", client: "ada", sectors: 42, completed: 41, failed: 1, rate: 2,
      secondsLeft: 10, pass: "now night/a.fits",
      parts: .init(total: 300, done: 29, failed: 1, noun: "inputs"))
    view.polled([a.incarnation: try status(told)], at: 2)
    let summary = try #require(view.engagements.first?.summary)
    #expect(summary.parts == told.parts)
    #expect(summary.fraction == 0.1 && summary.progressText == "29 of 300 inputs")
    #expect(summary.parts?.left == 270)
    #expect(texts.last == "ada engages: 300 images")
    view.polled([a.incarnation: try status()], at: 6)
    #expect(texts.last == "300 images of ada is over, last seen at 30 of 300 inputs")
  }

  @Test("Engagements of one name are two when they are two runs")
  mutating func sameNames() throws {
    let a = system("a")
    view.apply(.connected(a), at: 1)
    let told = try status(summary(RunID(), completed: 1), summary(RunID(), completed: 2))
    view.polled([a.incarnation: told], at: 2)
    #expect(view.engagements.count == 2)
  }

  @Test("An engagement that no node tells of is forgotten after some seconds")
  mutating func forgotten() throws {
    let (a, run) = (system("a"), RunID())
    view.apply(.connected(a), at: 1)
    view.polled([a.incarnation: try status(summary(run, completed: 199))], at: 2)
    view.polled([a.incarnation: try status()], at: 4)
    #expect(view.engagements.count == 1)
    view.polled([a.incarnation: try status()], at: 6)
    #expect(view.engagements.isEmpty)
    #expect(texts.last == "sky of ada is over, last seen at 199 of 200")
  }

  @Test("An engagement whose nodes do not answer is kept for half a minute")
  mutating func unanswered() throws {
    let (a, run) = (system("a"), RunID())
    view.apply(.connected(a), at: 1)
    view.polled([a.incarnation: try status(summary(run, completed: 9))], at: 2)
    view.polled([:], at: 20)
    #expect(view.engagements.count == 1)
    view.polled([:], at: 33)
    #expect(view.engagements.isEmpty)
  }

  @Test("A system's rate is that of the last five seconds")
  mutating func rate() throws {
    let a = system("a")
    view.apply(.connected(a), at: 1)
    for second in 0...10 {
      view.polled([a.incarnation: try status(done: second * second)], at: Double(second))
    }
    #expect(view.systems[0].rate(at: 10) == Double(100 - 25) / 5)
    #expect(view.systems[0].rate(at: 100) == 0)
    #expect(view.systems[0].samples.count == 11)
  }

  @Test("A silent system, one that leaves and one that has gone are told, and shown as such")
  mutating func conditions() throws {
    let (a, b) = (system("a"), system("b"))
    view.apply(.connected(a), at: 1)
    view.apply(.connected(b), at: 1)
    view.apply(.silent(a, for: .seconds(2)), at: 5)
    view.apply(.silent(a, for: .seconds(3)), at: 6)
    #expect(view.systems[0].condition == .silent(since: 3))
    view.apply(.heard(a), at: 7)
    #expect(view.systems[0].condition == .present)
    view.apply(.draining(.init(b.incarnation, "b")), at: 8)
    view.apply(.silent(b, for: .seconds(2)), at: 8.2)
    view.apply(.heard(b), at: 8.4)
    #expect(view.systems[1].condition == .leaving(), "its silence is over, and it still leaves")
    view.apply(.disconnected(b, reason: "the node has stopped"), at: 9)
    #expect(view.systems[1].isGone && view.connected.map(\.name) == ["a"] && view.slots == 4)
    #expect(
      Array(texts.dropFirst(2)) == [
        "a is silent", "a is heard again", "b takes nothing new", "b is silent", "b is heard again",
        "disconnected b: the node has stopped",
      ])
    view.polled([:], at: 20)
    #expect(view.systems.count == 2)
    view.polled([:], at: 9.5 + ClusterView.goneSeconds)
    #expect(view.systems.map(\.name) == ["a"])
  }

  @Test("A system that comes back takes the place of its former life")
  mutating func comesBack() {
    let former = system("a")
    view.apply(.connected(former), at: 1)
    view.apply(.disconnected(former, reason: "gone"), at: 2)
    view.apply(.connected(system("a", slots: 8)), at: 3)
    #expect(view.systems.count == 1 && view.slots == 8)
  }

  @Test("Systems and engagements without end do not grow the view without end")
  mutating func bounded() throws {
    let a = system("a")
    view.apply(.connected(a), at: 1)
    for number in 0..<2000 {
      let other = system("b\(number)")
      view.apply(.connected(other), at: 2)
      view.apply(.disconnected(other, reason: "gone"), at: 2)
    }
    #expect(view.systems.count <= ClusterView.systemLimit)
    #expect(view.notices.latest.count == Notices.limit)
    #expect(view.systems.first?.name == "a")
  }

  @Test("Nodes of other clusters are told once, with both keys")
  mutating func foreignNodes() {
    let other = ForeignNode(name: "other", host: "10.0.0.7", fingerprint: "d8f2111122223333")
    view.sees([other], at: 1)
    view.sees([other], at: 2)
    #expect(texts == ["1 node of another cluster: other (key d8f2…, yours cead…)"])
    view.sees([], at: 3)
    #expect(view.foreignNodes.isEmpty && texts.count == 1)
  }
}
