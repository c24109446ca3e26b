import Foundation
import SkyNetCore
import SkyScan
import Testing

@Suite("Images that systems read themselves", .timeLimit(.ample))
struct ReferenceTests {
  /// The catalogues of an image of one folder, made by a run alone and by two nodes.
  private struct Night {
    let stage: Stage
    let image: String
    let alone: Data

    init(_ stage: Stage) async throws {
      self.stage = stage
      image = stage.file("night/sky.fits")
      for name in ["night", "copies", "elsewhere"] {
        try FileManager.default.createDirectory(
          atPath: stage.file(name), withIntermediateDirectories: true)
      }
      try await SyntheticSky(width: 700, height: 500, starCount: 150).write(to: image)
      let catalog = stage.file("alone.csv")
      let run = try await stage.engage("--image", image, "--catalog", catalog).outcome()
      #expect(run.status == 0)
      alone = try Data(contentsOf: URL(fileURLWithPath: catalog))
    }

    /// Scans the image on these nodes alone, expects the catalogue of a run alone and no attempt
    /// that failed, and returns the lines on standard error.
    func scan(
      _ name: String? = nil, on nodes: [RunningNode], _ options: String...
    ) async throws -> [String] {
      let catalog = stage.file("spread.csv")
      let run = try await stage.engage(
        peers: nodes.map(\.port),
        [
          "--image", name ?? image, "--catalog", catalog, "--no-local", "--wait-for",
          "\(nodes.count)", "--sector-size", "128",
        ] + options
      ).outcome()
      #expect(run.status == 0, "\(run.errors)")
      #expect(try run.summary.retried == 0)
      #expect(try Data(contentsOf: URL(fileURLWithPath: catalog)) == alone)
      return run.errors
    }
  }

  /// The bytes that the systems read and that they were sent, as the run's end tells.
  private func bytes(_ lines: [String]) -> (read: String, sent: String)? {
    for line in lines {
      let pattern = /systems read (.+) of pixels from their own files, and were sent (.+)/
      if let told = line.wholeMatch(of: pattern) { return (String(told.1), String(told.2)) }
    }
    return nil
  }

  /// What `skynet systems --json` tells of a node.
  private struct Told: Decodable {
    let cache: CacheFigures?
  }

  private func gets(_ lines: [String]) -> [String] {
    lines.filter { $0.contains(" gets the pixels of ") }
  }

  @Test("Nodes with --data read the image, whose pixels do not travel")
  func withData() async throws {
    try await Stage.with { stage in
      let night = try await Night(stage)
      let nodes = [
        try await stage.node("a", "--data", stage.file("elsewhere"), "--data", stage.file("night")),
        try await stage.node("b", "--data", stage.file("")),
      ]
      let lines = try await night.scan(on: nodes)
      let counted = try #require(bytes(lines))
      #expect(counted.sent == "0 bytes" && counted.read.hasSuffix(" MB"))
      #expect(gets(lines).isEmpty)
    }
  }

  @Test("Without --data a node reads for its own account, and leaves no door behind")
  func ownAccount() async throws {
    try await Stage.with { stage in
      let night = try await Night(stage)
      let node = try await stage.node("a")
      let lines = try await night.scan(on: [node])
      #expect(try #require(bytes(lines)).sent == "0 bytes")
      let doors = { () in
        FileManager.default.enumerator(atPath: stage.account)?
          .compactMap { $0 as? String }.filter { $0.contains("/doors/") }.count
      }
      #expect(doors() == 1)
      node.process.send(SIGTERM)
      _ = try await node.process.end()
      #expect(doors() == 0)
    }
  }

  @Test("Nodes keep the pixels that they are sent, tell so, and keep none without a client")
  func cached() async throws {
    try await Stage.with { stage in
      let night = try await Night(stage)
      let nodes = [
        try await stage.node("a", "--data", stage.file("elsewhere")),
        try await stage.node("b", "--data", stage.file("elsewhere"), "--pixel-cache", "0"),
      ]
      _ = try await night.scan(on: nodes)
      let places = nodes.flatMap { ["--peers", "127.0.0.1:\($0.port)"] }
      let told = try await stage.skynet(["systems", "--json", "--no-discovery"] + places).end()
      let caches = try told.output.map {
        try JSONDecoder().decode(Told.self, from: Data($0.utf8)).cache
      }
      #expect(caches.count == 2 && caches.contains(nil), "\(told)")
      let cache = try #require(caches.compactMap(\.self).first)
      #expect(cache.hits > cache.misses && cache.bytes == 0)
    }
  }

  @Test("A node whose --data does not hold the image gets its pixels, and the run says why")
  func outside() async throws {
    try await Stage.with { stage in
      let night = try await Night(stage)
      let node = try await stage.node("a", "--data", stage.file("elsewhere"))
      let lines = try await night.scan(on: [node])
      #expect(bytes(lines) == nil)
      #expect(
        gets(lines) == [
          "a gets the pixels of \(night.image) from here: it is not below its --data"
        ])
      // Nothing is read through a link out of the directory, nor a link that is the image itself.
      let link = stage.file("elsewhere/sky.fits")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: night.image)
      let linked = try await night.scan(link, on: [node])
      #expect(bytes(linked) == nil)
      #expect(gets(linked).first?.contains("a symbolic link is on the way") == true)
    }
  }

  @Test("A copy is read where --data-root says; one that differs in a byte is not")
  func copies() async throws {
    try await Stage.with { stage in
      let night = try await Night(stage)
      let copy = stage.file("copies/sky.fits")
      try FileManager.default.copyItem(atPath: night.image, toPath: copy)
      let node = try await stage.node("a", "--data", stage.file("copies"))
      let roots = "\(stage.file("night"))=\(stage.file("copies"))"
      let lines = try await night.scan(on: [node], "--data-root", roots)
      #expect(try #require(bytes(lines)).sent == "0 bytes")
      #expect(gets(lines).isEmpty)

      let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
      try file.seek(toOffset: 2880 + 350_001)
      try file.write(contentsOf: Data([0x55]))
      try file.close()
      let others = try await night.scan(on: [node], "--data-root", roots)
      #expect(
        gets(others) == [
          "a gets the pixels of \(night.image) from here: it has other contents there"
        ])
    }
  }

  @Test("A wrong --data or --data-root is refused with the reason")
  func wrongOptions() async throws {
    try await Stage.with { stage in
      for (arguments, reason) in [
        (["node", "--data", stage.file("nowhere")], "there is no such directory"),
        (["node", "--data", ""], "--data is empty"),
        (["engage", "--image", "x.fits", "--data-root", "/data"], "A=B is needed"),
        (["engage", "--image", "x.fits", "--data-root", "/=data"], "A=B is needed"),
        (
          ["engage", "--image", "x.fits", "--data-root", stage.file("nowhere") + "=/data"],
          "there is no directory"
        ),
        (["engage", "--data-root", "/=/data"], "for the scan of an image"),
      ] {
        let story = try await stage.skynet(arguments).end()
        #expect(story.status == 64 || story.status == 2)
        #expect(story.errors.joined().contains(reason), "\(story.errors)")
      }
    }
  }
}
