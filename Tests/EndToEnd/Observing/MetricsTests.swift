import Foundation
import Testing

private let hasPrometheus =
  Program.path(of: "promtool") != nil && Program.path(of: "prometheus") != nil
private let prometheusNeeded: Comment =
  "needs promtool and prometheus: apt-get install prometheus"

/// What `--metrics` serves.
@Suite("Metrics", .timeLimit(.ample))
struct MetricsTests {
  /// The port of the server that a process says it has.
  private func port(of process: RunningProcess) async throws -> Int {
    let line = try await process.line("metrics: http://")
    let match = try #require(
      try /metrics: http:\/\/127\.0\.0\.1:(\d+)\/metrics/.firstMatch(in: line))
    return try #require(Int(match.1))
  }

  @Test("A node's counts agree with what a run says of it")
  func aNodesCounts() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b", "--slots", "3", "--metrics")
      let port = try await port(of: node.process)
      let events = stage.file("events.jsonl")
      let run = try stage.engage(
        peers: [node.port], "--total", "60", "--scan-seconds", "0.01", "--failing-every", "5",
        "--no-local", "--events", events)
      #expect(try await run.outcome().status == 0)
      let answer = try await HTTPAnswer.get("/metrics", port: port)
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
      let samples = answer.samples
      let kinds = samples.keys.compactMap { name in
        name.firstMatch(of: #/kind="(simulated[^"]+)",state="done"/#).map { String($0.1) }
      }
      let kind = try #require(kinds.first)
      let ended = try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n")
      let failed = ended.count { $0.contains(#""ending":"failed""#) }
      #expect(failed > 0)
      #expect(samples["skynet_scans_total{kind=\"\(kind)\",state=\"done\"}"] == 60)
      #expect(samples["skynet_scans_total{kind=\"\(kind)\",state=\"retried\"}"] == Double(failed))
      #expect(
        samples["skynet_scan_duration_seconds_count{kind=\"\(kind)\"}"] == Double(60 + failed))
      #expect(samples["skynet_slots"] == 3 && samples["skynet_slots_busy"] == 0)
      #expect(samples["process_resident_memory_bytes"].map { $0 > 1e6 } ?? false)
      #expect(samples.keys.contains { $0.hasPrefix("skynet_build_info{version=\"") })
    }
  }

  @Test("A node that drains says so, and that it is stopping and has stopped")
  func draining() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b", "--slots", "1", "--metrics")
      let port = try await port(of: node.process)
      #expect(try await HTTPAnswer.get("/health", port: port).body == "{\"status\":\"ready\"}\n")
      let run = try stage.engage(
        peers: [node.port], "--total", "3", "--scan-seconds", "8", "--failing-every", "0",
        "--no-local")
      while try await HTTPAnswer.get("/metrics", port: port).samples["skynet_slots_busy"] != 1 {}
      node.process.send(SIGTERM)
      try await node.process.line("info: stopping (scans 1, timeout 10.0 s)")
      let answer = try await HTTPAnswer.get("/health", port: port)
      #expect(answer.status == 503 && answer.body == "{\"status\":\"draining\"}\n")
      #expect(try await node.process.end().status == 0)
      try await node.process.line("info: stopped")
      run.process.send(SIGINT)
      run.process.send(SIGINT)
      _ = try await run.process.end()
    }
  }

  @Test("An engagement tells how far it is, while it runs")
  func anEngagementsCounts() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b")
      let run = try stage.engage(
        peers: [node.port], "--total", "1000", "--scan-seconds", "0.1", "--failing-every", "0",
        "--metrics", "0")
      let port = try await port(of: run.process)
      try await run.completions(20, by: "b")
      let samples = try await HTTPAnswer.get("/metrics", port: port).samples
      let completed = try #require(samples["skynet_sectors{state=\"completed\"}"])
      #expect((20...999).contains(completed))
      #expect(samples["skynet_sectors{state=\"left\"}"] == 1000 - completed)
      #expect(samples["skynet_systems_connected"] == 1)
      #expect(samples["skynet_tasks_total{system=\"b\"}"].map { $0 >= 20 } ?? false)
      #expect(samples["skynet_attempts_in_flight{system=\"b\"}"].map { $0 > 0 } ?? false)
      #expect(try await HTTPAnswer.get("/health", port: port).status == 200)
      try await run.stopUndisturbed()
    }
  }

  @Test("promtool finds nothing to say", .enabled(if: hasPrometheus, prometheusNeeded))
  func promtool() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b", "--metrics")
      let run = try stage.engage(
        peers: [node.port], "--total", "1000", "--scan-seconds", "0.05", "--failing-every", "7",
        "--metrics")
      try await run.completions(20, by: "b")
      for process in [node.process, run.process] {
        let file = stage.file("metrics-\(process.id)")
        try await HTTPAnswer.get("/metrics", port: port(of: process)).body
          .write(toFile: file, atomically: true, encoding: .utf8)
        let check = try await stage.launch(
          "/bin/sh", ["-c", "exec promtool check metrics < \"$0\"", file]
        ).end()
        #expect(check.status == 0)
        #expect(check.output.isEmpty && check.errors.isEmpty, "\(check.output + check.errors)")
      }
      try await run.stopUndisturbed()
    }
  }

  @Test("A Prometheus scrapes a node, with a token", .enabled(if: hasPrometheus, prometheusNeeded))
  func aPrometheusScrapes() async throws {
    try await Stage.with { stage in
      let token = stage.file("token")
      try "0123456789abcdef-of-the-test\n".write(toFile: token, atomically: true, encoding: .utf8)
      let node = try await stage.node(
        "b", "--metrics=127.0.0.1:0", "--slots", "7", "--metrics-token", token)
      let port = try await port(of: node.process)
      #expect(try await HTTPAnswer.get("/metrics", port: port).status == 401)
      let config = stage.file("prometheus.yml")
      try """
      global:
        scrape_interval: 1s
      scrape_configs:
        - job_name: skynet
          authorization: {credentials_file: "\(token)"}
          static_configs: [{targets: ["127.0.0.1:\(port)"]}]
      """.write(toFile: config, atomically: true, encoding: .utf8)
      let address = "127.0.0.1:\(try freePort())"
      let prometheus = try stage.launch(
        try #require(Program.path(of: "prometheus")),
        [
          "--config.file=\(config)", "--storage.tsdb.path=\(stage.file("tsdb"))",
          "--web.listen-address=\(address)",
        ])
      try await prometheus.line("Server is ready to receive web requests")
      func query(_ expression: String) async throws -> [String] {
        try await stage.launch(
          try #require(Program.path(of: "promtool")),
          ["query", "instant", "http://\(address)", expression]
        ).end().output.filter { !$0.isEmpty }
      }
      while try await query("skynet_slots").isEmpty {}
      let slots = try await query("skynet_slots")
      #expect(slots.count == 1 && slots[0].contains(" => 7 @"), "\(slots)")
      let up = try await query("up")
      #expect(up.count == 1 && up[0].contains(" => 1 @"), "\(up)")
    }
  }

  @Test("What cannot be served is refused, with what to do")
  func refusals() async throws {
    try await Stage.with { stage in
      let open = try await stage.skynet("node", "--no-discovery", "--metrics", "0.0.0.0:9464").end()
      #expect(open.status == 64)
      #expect(open.errors.contains { $0.contains("needs a token") && $0.contains("openssl rand") })

      let alone = try await stage.skynet("engage", "--metrics-token", "x").end()
      #expect(alone.status == 64)

      let short = stage.file("short")
      try "secret\n".write(toFile: short, atomically: true, encoding: .utf8)
      let weak = try await stage.skynet(
        "node", "--no-discovery", "--metrics", "0.0.0.0:0", "--metrics-token", short
      ).end()
      #expect(weak.status == 2)
      #expect(weak.errors.last?.contains("at least 16 are needed") ?? false)

      let node = try await stage.node("b", "--metrics")
      let taken = try await port(of: node.process)
      let second = try await stage.skynet(
        "engage", "--no-discovery", "--total", "1", "--metrics", "\(taken)"
      ).end()
      #expect(second.status == 2)
      #expect(second.errors.last?.contains("\(taken)") ?? false)
    }
  }
}
