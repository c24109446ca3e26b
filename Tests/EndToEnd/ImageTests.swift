import Foundation
import SkyScan
import Testing

/// A folder with real images, which are not part of the repository.
private let folder = ProcessInfo.processInfo.environment["SKYNET_TEST_DATA"]
  .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

@Suite("Catalogues of images", .timeLimit(.ample))
struct ImageTests {
  @Test("A synthetic sky has the same catalogue whichever systems scan it")
  func aSyntheticSkyHasOneCatalogue() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      let sky = try SyntheticSky(width: 700, height: 500, starCount: 150)
      try await sky.write(to: image)
      let catalog = try await expectSameCatalog(of: image, on: stage)
      // Nearly every star is found, and nearly every source is a star.
      let sources = catalog.split(separator: "\n").count - 1
      #expect((120...180).contains(sources), "\(sources) sources of 150 stars")
    }
  }

  @Test(
    "A real image has the same catalogue whichever systems scan it",
    .enabled(if: folder != nil, "set SKYNET_TEST_DATA to a folder with SDSS frames"))
  func aRealImageHasOneCatalogue() async throws {
    try await Stage.with { stage in
      let image = try #require(folder) + "/sdss-004192-r4-0300.fit"
      _ = try await expectSameCatalog(of: image, on: stage)
    }
  }

  @Test("The catalogue goes to standard output if no file is given")
  func withoutAFileTheCatalogueGoesToStandardOutput() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: image)
      let story = try await stage.skynet("engage", "--no-discovery", "--image", image).end()
      #expect(story.status == 0)
      let header = try #require(story.output.first { !$0.hasPrefix("#") })
      for column in ["NUMBER", "X_IMAGE", "Y_IMAGE", "FLUX_ISO", "ISOAREA_IMAGE"] {
        #expect(header.split(separator: ",").contains { $0 == column }, "\(header)")
      }
    }
  }

  @Test(
    "An image that is done before any node has joined says so, and one for which none is looked does not"
  )
  func nobodyCame() async throws {
    try await Stage.with { stage in
      let (image, catalog) = (stage.file("sky.fits"), stage.file("sky.csv"))
      try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: image)
      for (options, isTold) in [(["--peers", "127.0.0.1:1"], true), ([], false)] {
        let story = try await stage.skynet(
          ["engage", "--no-discovery", "--image", image, "--catalog", catalog] + options
        ).end()
        #expect(story.status == 0)
        let told = story.errors.filter { $0.hasPrefix("no node had joined") }
        #expect(told.count == (isTold ? 1 : 0), "\(story.errors)")
        #expect(told.allSatisfy { $0.contains("--wait-for") })
      }
    }
  }

  /// Scans an image locally and again with two nodes, expects equal catalogues, and returns one.
  private func expectSameCatalog(of image: String, on stage: Stage) async throws -> String {
    let (here, there) = (stage.file("here.csv"), stage.file("there.csv"))
    let alone = try await stage.engage("--image", image, "--catalog", here).outcome()
    #expect(alone.status == 0 && alone.shares.keys.sorted() == ["local"])

    let (a, b) = (try await stage.node("a"), try await stage.node("b"))
    let spread = try await stage.engage(
      peers: [a.port, b.port], "--image", image, "--catalog", there, "--no-local", "--wait-for",
      "2", "--sector-size", "128"
    ).outcome()
    #expect(spread.status == 0)
    // The scans are so short that each node's share is a matter of luck.
    #expect(spread.errors.contains("connected a") && spread.errors.contains("connected b"))
    #expect(Set(spread.shares.keys).isSubset(of: ["a", "b"]))
    let catalog = try Data(contentsOf: URL(fileURLWithPath: here))
    #expect(catalog == (try Data(contentsOf: URL(fileURLWithPath: there))))
    return String(decoding: catalog, as: UTF8.self)
  }
}
