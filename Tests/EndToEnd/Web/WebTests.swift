import Foundation
import SkyScan
import Testing

@Suite(
  "The page in the browser", .timeLimit(.ample),
  .enabled(if: EventStream.isThere, "there is no curl"))
struct WebTests {
  /// Runs `curl` for one answer, and returns its status and its text.
  private func get(
    _ address: String, _ options: String..., on stage: Stage
  ) async throws -> (status: Int, text: [String]) {
    let story = try await stage.launch(
      EventStream.curl, ["--silent", "--write-out", "\n%{http_code}", address] + options
    ).end()
    return (Int(story.output.last ?? "") ?? 0, story.output.dropLast())
  }

  @Test("A viewer is told of every sector of a run, which ends as without it")
  func everySectorIsTold() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b")
      let run = try stage.engage(
        peers: [node.port], "--total", "300", "--scan-seconds", "0.05", "--failing-every", "10",
        "--web")
      let page = try await run.process.page()
      #expect(page.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{32}/) != nil)
      let viewer = try EventStream(of: page, on: stage)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 300)
      let told = try await viewer.told()
      #expect(told.completed.values.reduce(0, +) == 300 && told.completed.count == 300)
      #expect(told.state["end"] as? String == "done")
      #expect(told.figures("completed").filter { $0.value > 0 } == outcome.shares)
      #expect(told.state["retried"] as? Int == (try outcome.summary.retried))
      #expect(told.notices.contains("connected b"))
      #expect(told.counts["hello"] == 1)
    }
  }

  @Test("Five viewers that do not read hold nothing up, and are told what they missed")
  func stalledViewers() async throws {
    try await Stage.with { stage in
      let total = 60_000
      let run = try stage.engage(
        "--total", "\(total)", "--scan-seconds", "0", "--failing-every", "20", "--web")
      let page = try await run.process.page()
      let reader = try EventStream(of: page, on: stage)
      let stalled = try (0..<5).map { _ in try EventStream(of: page, on: stage) }
      for viewer in stalled {
        try await viewer.event("hello")
        viewer.process.send(SIGSTOP)
      }
      // One of them reads again in mid-run.
      try await reader.process.output { $0.count { $0 == "event: state" } > 6 }
      stalled[0].process.send(SIGCONT)
      try await run.outcome().expectEverySectorOnce(of: total)
      for viewer in stalled { viewer.process.send(SIGCONT) }
      let told = try await reader.told()
      #expect(told.completed.values.reduce(0, +) == total && told.skippedAttempts > 0)
      let resumed = try await stalled[0].told()
      #expect(resumed.completed.values.reduce(0, +) == total && resumed.skippedAttempts > 0)
      for viewer in stalled.dropFirst() {
        let late = try await viewer.told()
        #expect((late.counts["state"] ?? 0) <= (told.counts["state"] ?? 0))
      }
    }
  }

  @Test("A page that is kept shows the end until Ctrl-C, and only to those with the token")
  func keptPage() async throws {
    try await Stage.with { stage in
      let run = try stage.engage(
        "--total", "5", "--scan-seconds", "0", "--failing-every", "0", "--web", "0", "--web-keep",
        "--web-host", "sky.example", "--web-host", "proxy.example")
      let page = try await run.process.page()
      try await run.process.line("5 of 5 sectors")
      let viewer = try EventStream(of: page, on: stage)
      try await viewer.event("state", containing: #""end":"done""#)
      let bare = page.components(separatedBy: "?")[0]
      #expect(try await get(page, on: stage).status == 303)
      let closed = try await get(bare, on: stage)
      #expect(closed.status == 403 && closed.text.contains { $0.contains("?token=") })
      #expect(try await get("\(bare)events", on: stage).status == 403)
      #expect(try await get("\(bare)?token=\(UUID())", on: stage).status == 403)
      let hostname = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
      let machine = hostname.prefix { $0 != "." && !$0.isNewline }
      for host in ["sky.example", "proxy.example:8443", machine, "\(machine.uppercased()).local"] {
        #expect(
          try await get(page, "--header", "Host: \(host)", on: stage).status == 303, "\(host)")
        #expect(
          try await get(bare, "--header", "Host: \(host)", on: stage).status == 403, "\(host)")
      }
      for host in ["evil.example", "sky.example.evil.example", "\(machine).evil.example"] {
        let answer = try await get(page, "--header", "Host: \(host)", on: stage)
        #expect(answer.status == 403 && answer.text.contains { $0.contains("--web-host") })
      }
      #expect(try await get(page, "--request", "POST", on: stage).status == 405)
      #expect(try await get(page, "--request", "DELETE", on: stage).status == 405)
      let jar = stage.file("cookies")
      let followed = try await get(
        page, "--cookie", jar, "--cookie-jar", jar, "--location", "--write-out",
        "\n%{url_effective}\n%{http_code}", on: stage)
      #expect(followed.status == 200 && followed.text.last == bare)
      #expect(try await get(bare, "--cookie", jar, on: stage).status == 200)
      #expect(run.process.isRunning)
      run.process.send(SIGINT)
      let outcome = try await run.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.errors.last?.hasPrefix("5 of 5 sectors in ") == true)
      _ = try await viewer.told()
    }
  }

  @Test("A port that is in use ends the command before anything is done, and says what to do")
  func portInUse() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b", "--web")
      let port = try await node.process.page().components(separatedBy: "/")[2]
      let results = stage.file("results")
      try Data("earlier".utf8).write(to: URL(fileURLWithPath: results))
      let second = try await stage.skynet(
        "engage", "--no-discovery", "--total", "5", "--results", results, "--web", port
      ).end()
      #expect(second.status == 2)
      #expect(
        second.errors.last
          == "error: --web: cannot listen at \(port): the port is in use: give another one, or 0 "
          + "for any free one")
      #expect(try String(contentsOfFile: results, encoding: .utf8) == "earlier")
      for wrong in [
        ["--web", "host"], ["--web=1:2:3"], ["--web-keep"], ["--web-host", "sky.example"],
        ["--web", "--web-host", "http://sky.example"], ["--web", "--web-host", "sky.example:80"],
      ] {
        let story = try await stage.skynet(["engage", "--no-discovery"] + wrong).end()
        #expect(story.status == 64, "\(wrong)")
      }
    }
  }

  @Test("A node's page says what it scans and for whom")
  func nodePage() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b", "--web")
      let viewer = try EventStream(of: try await node.process.page(), on: stage)
      try await viewer.event("hello", containing: #""kind":"node""#)
      let run = try stage.engage(
        peers: [node.port], "--total", "1000", "--scan-seconds", "0.5", "--name", "ada",
        "--no-local")
      try await viewer.event("cluster", containing: #""client":"ada","run":""#)
      try await viewer.event("cluster", containing: #""client":"ada","sectors":1000"#)
      try await viewer.event("notices", containing: "ada is connected")
      run.process.send(SIGINT)
      _ = try await run.process.end()
      try await viewer.event("notices", containing: "ada has left")
      node.process.send(SIGTERM)
      #expect(try await node.process.end().status == 0)
      _ = try await viewer.told()
    }
  }

  @Test("The page of skynet watch has every system and engagement, and who comes and goes")
  func watchPage() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b")
      // The report of a pipe goes on beside the page.
      let watch = try stage.skynet(
        "watch", "--interval", "0.2", "--no-discovery", "--peers", "127.0.0.1:\(node.port)", "--web"
      )
      let viewer = try EventStream(of: try await watch.page(), on: stage)
      try await viewer.event("hello", containing: #""kind":"cluster""#)
      try await viewer.event("notices", containing: "connected b")
      let run = try stage.engage(
        peers: [node.port], "--total", "1000", "--scan-seconds", "0.5", "--name", "ada",
        "--no-local")
      try await viewer.event("cluster", containing: #""client":"ada","run":""#)
      try await viewer.event("cluster", containing: #""client":"ada","sectors":1000"#)
      run.process.send(SIGINT)
      _ = try await run.process.end()
      node.process.send(SIGKILL)
      try await viewer.event("notices", containing: "disconnected b: ")
      watch.send(SIGTERM)
      #expect(try await watch.end().status == 143)
      _ = try await viewer.told()
    }
  }

  @Test("The page of an image has its picture, its grid and every source")
  func image() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 1500, height: 700, starCount: 150).write(to: image)
      let run = try stage.engage(
        "--image", image, "--sector-size", "256", "--catalog", stage.file("sky.csv"), "--web",
        "--web-keep")
      let page = try await run.process.page()
      try await run.process.line("18 of 18 sectors")
      let viewer = try EventStream(of: page, on: stage)
      try await viewer.event(
        "state", containing: #""image":{"width":1500,"height":700,"scale":2,"version":10}"#)
      try await viewer.event("state", containing: #""grid":{"columns":6,"rows":3,"side":256}"#)
      let file = stage.file("sky.png")
      let picture = try await get(
        page.replacingOccurrences(of: "/?", with: "/image?"), "--output", file, on: stage)
      #expect(picture.status == 200)
      let png = try Data(contentsOf: URL(fileURLWithPath: file))
      // Width, height, 8 bits, grey (PNG, section 11.2.1).
      #expect(Array(png[16..<26]) == [0, 0, 2, 238, 0, 0, 1, 94, 8, 0])
      run.process.send(SIGINT)
      #expect(try await run.outcome().status == 0)
      let table = try String(contentsOfFile: stage.file("sky.csv"), encoding: .utf8)
      let told = try await viewer.told()
      #expect(told.sources == table.split(separator: "\n").count { !$0.hasPrefix("#") } - 1)
    }
  }

  @Test("The page of a resumed run has the whole picture, also of sectors that it does not read")
  func resumedImage() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 600, height: 400, starCount: 30).write(to: image)
      let options = [
        "--image", image, "--sector-size", "256", "--journal", stage.file("run.sqlite"),
        "--catalog", stage.file("sky.csv"),
      ]
      #expect(try await stage.engage(options).outcome().status == 0)
      let run = try stage.engage(options + ["--web", "--web-keep"])
      let viewer = try EventStream(of: try await run.process.page(), on: stage)
      try await viewer.event("state", containing: #""scale":1,"version":10}"#)
      // The page may have the whole picture before the run has ended.
      try await run.process.line("6 of 6 sectors in ")
      run.process.send(SIGINT)
      #expect(try await run.outcome().status == 0)
    }
  }
}
