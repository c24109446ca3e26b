import Foundation
import Testing

/// Systems of one name, which no DNS-SD has told apart.
@Suite("Systems of one name", .timeLimit(.ample))
struct NamesakeTests {
  @Test("Both have their addresses after the name, the same in every command and result")
  func twoNodes() async throws {
    try await Stage.with { stage in
      let nodes = [try await stage.node("twin"), try await stage.node("twin")]
      let names = nodes.map { "twin@127.0.0.1:\($0.port)" }.sorted()

      let systems = try await stage.ask("systems", nodes, "--expect", "2", "--wait", "3")
      #expect(systems.status == 0, "\(systems)")
      #expect(
        systems.output.dropFirst().compactMap { $0.split(separator: " ").first }
          == names.map { $0[...] })

      let journal = stage.file("run.sqlite")
      let run = try stage.engage(
        peers: nodes.map(\.port), "--no-local", "--wait-for", "2", "--total", "40",
        "--scan-seconds", "0.1", "--journal", journal)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 40)
      #expect(outcome.shares.keys.sorted() == names)
      for line in outcome.errors where line.contains(" by twin") || line.contains(" on twin") {
        #expect(names.contains { line.contains($0) }, "\(line)")
      }
      let page = try await stage.skynet("report", journal).end()
      let text = page.output.joined()
      #expect(page.status == 0 && names.allSatisfy(text.contains))
      #expect(!text.contains(#""twin""#))
    }
  }

  @Test("If the second one comes in mid-run, the first one has its address from then on")
  func laterNode() async throws {
    try await Stage.with { stage in
      let (first, second) = (try await stage.node("twin"), try await stage.node("twin"))
      let wire = try await FaultyWire.open(to: "127.0.0.1", port: second.port)
      defer { wire.stop() }
      wire.become(.stalled)
      let names = [first.port, wire.port].map { "twin@127.0.0.1:\($0)" }
      let (journal, events) = (stage.file("run.sqlite"), stage.file("events"))
      let run = try stage.engage(
        peers: [first.port, wire.port], "--no-local", "--total", "100000", "--scan-seconds", "0.1",
        "--failing-every", "0", "--journal", journal, "--events", events)
      try await run.completions(by: "twin")
      wire.become(.sound)
      try await run.process.line(
        "twin is \(names[0]) from now on: another system has the same name")
      for name in names { try await run.completions(10, by: name) }
      run.process.send(SIGINT)
      let outcome = try await run.outcome()
      let systems = outcome.results.compactMap(\.system)
      let change = try #require(systems.firstIndex { $0 != "twin" })
      #expect(Set(systems[..<change]) == ["twin"] && Set(systems[change...]) == Set(names))
      let summary = try outcome.summary
      #expect(summary.shares.keys.sorted() == names.sorted())
      #expect(summary.shares.values.reduce(0, +) == outcome.results.count && summary.failed == 0)
      let told = try String(contentsOfFile: events, encoding: .utf8)
      #expect(told.contains(#""event":"renamed","system":"\#(names[0])","from":"twin""#))
      // The journal knows by the process's incarnation whose sectors they all were.
      let page = try await stage.skynet("report", journal).end()
      #expect(page.status == 0 && !page.output.joined().contains(#""twin""#))
    }
  }
}
