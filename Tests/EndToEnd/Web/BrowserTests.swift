import Foundation
import Testing

/// Whether there is a Chromium that a script can drive.
let hasBrowser: Bool = {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: Stage.python)
  process.currentDirectoryURL = Paths.package.appendingPathComponent("Tests/Web")
  process.arguments = ["-c", "import browser, sys; sys.exit(1 if browser.missing() else 0)"]
  process.environment = ProcessInfo.processInfo.environment
    .merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}()

extension Stage {
  /// A Python with Selenium, if there is one.
  fileprivate static let python =
    Paths.package.appendingPathComponent("Tests/Web/python").path

  /// Starts a script of Tests/Web, which looks at a page in Chromium.
  func browse(_ script: String, _ arguments: String...) throws -> RunningProcess {
    let path = Paths.package.appendingPathComponent("Tests/Web/\(script)").path
    return try launch(Self.python, [path] + arguments, ["PYTHONDONTWRITEBYTECODE": "1"])
  }
}

@Suite(
  "The page in Chromium", .timeLimit(.ample),
  .enabled(if: hasBrowser, "there is no Chromium with its driver and Python's selenium"))
struct BrowserTests {
  @Test("The page says that a node joins, that one is killed, and how the run ends")
  func joinsAndDeaths() async throws {
    try await Stage.with { stage in
      // The nodes' ports are known before the nodes are there.
      let ports = try await (stage.node("b"), stage.node("c"))
      for node in [ports.0, ports.1] {
        node.process.send(SIGTERM)
        _ = try await node.process.end()
      }
      let run = try stage.engage(
        peers: [ports.0.port, ports.1.port], "--total", "2400", "--scan-seconds", "0.2", "--slots",
        "2", "--failing-every", "30", "--web", "--web-keep")
      let page = try await run.process.page()
      let browser = try stage.browse(
        "check_page.py", page, "--joined", "b", "--joined", "c", "--gone", "b", "--ended",
        "--seconds", "300")
      func hasSaid(_ text: String) async throws {
        try await browser.output { $0.contains { $0.hasPrefix(text) } }
      }
      try await hasSaid("open")
      let b = try await stage.node("b", "--port", "\(ports.0.port)", "--slots", "8")
      try await hasSaid("joined: b")
      _ = try await stage.node("c", "--port", "\(ports.1.port)", "--slots", "8")
      try await hasSaid("joined: c")
      b.process.send(SIGKILL)
      try await hasSaid("gone: b")
      try await hasSaid("ended: 2,400 of 2,400")
      #expect(try await browser.end().status == 0)
      run.process.send(SIGINT)
      try await run.outcome().expectEverySectorOnce(of: 2400)
    }
  }
}
