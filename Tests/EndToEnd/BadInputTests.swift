import Foundation
import SkyScan
import Testing

/// The exit status and the message of wrong command lines and files.
@Suite("Wrong command lines and files", .timeLimit(.ample))
struct BadInputTests {
  @Test(
    "A wrong command line is refused with its fault",
    arguments: [
      (["engage", "--total", "0"], "--total is 0, but at least 1 is needed"),
      (["engage", "--total=-3"], "--total is -3, but at least 1 is needed"),
      (["engage", "--total", "-3"], "--total"),
      (["engage", "--slots", "0"], "--slots is 0, but at least 1 is needed"),
      (["node", "--slots", "0"], "--slots is 0, but at least 1 is needed"),
      (["node", "--port", "65536"], "--port is 65536, but at most 65535 is allowed"),
      (["engage", "--peers", "here"], "\"here\" is not host:port"),
      (["engage", "--peers", "127.0.0.1:7777,"], "\"\" is not host:port"),
      (["systems", "--peers", "127.0.0.1:0"], "\"127.0.0.1:0\" is not host:port"),
      (["engage", "--image", "sky.fits", "--total", "5"], "--total is for simulated scans"),
      (["engage", "--catalog", "sources.csv"], "give --image FILE too"),
      (["engage", "--total", "5", "--catalog", "sources.csv"], "give --image FILE too"),
      (["engage", "--image", "sky.fits", "--json"], "--catalog FILE"),
      (["engage", "--image", "sky.fits", "--sector-size", "100"], "--sector-size"),
      (["scan"], "scan"),
      (["nod"], "error: there is no command \"nod\": did you mean \"node\"?"),
      (["help", "nod"], "error: there is no command \"nod\": did you mean \"node\"?"),
      (["help", "key", "launch"], "error: there is no command \"launch\""),
    ])
  func aWrongCommandLineIsRefused(arguments: [String], complaint: String) async throws {
    try await Stage.with { stage in
      let story = try await stage.skynet(arguments).end()
      #expect(story.status == 64)
      #expect(story.output.isEmpty)
      #expect(story.errors.first?.hasPrefix("error: ") == true, "\(story.errors)")
      #expect(story.errors.joined(separator: "\n").contains(complaint), "\(story.errors)")
    }
  }

  @Test("An image that cannot be read is refused with its fault")
  func anUnreadableImageIsRefused() async throws {
    try await Stage.with { stage in
      let whole = stage.file("sky.fits")
      try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: whole)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
      let (absent, text) = (stage.file("absent.fits"), stage.file("text.fits"))
      let (half, empty) = (stage.file("half.fits"), stage.file("empty.fits"))
      try Data("No FITS file begins like this.".utf8).write(to: URL(fileURLWithPath: text))
      try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: half))
      try Data().write(to: URL(fileURLWithPath: empty))
      for (path, fault) in [
        (absent, "there is no such file"), (text, "FITS"), (half, "truncated"),
        (empty, "is empty"),
      ] {
        let story = try await stage.skynet(
          "engage", "--no-discovery", "--image", path, "--catalog", stage.file("sources.csv")
        ).end()
        #expect(story.status == 2)
        let line = try #require(story.errors.last)
        #expect(line.hasPrefix("error: \(path): ") && line.contains(fault), "\(line)")
        #expect(!FileManager.default.fileExists(atPath: stage.file("sources.csv")))
      }
    }
  }

  @Test("A pattern that no file matches is an error that names it, and no image")
  func aPatternMatchesNothing() async throws {
    try await Stage.with { stage in
      let pattern = stage.file("night") + "/*.fits"
      for outputs in [[], ["--catalog", stage.file("out/{name}.csv")]] {
        let story = try await stage.skynet(
          ["engage", "--no-discovery", "--image", pattern] + outputs
        )
        .end()
        #expect(story.status == 2 && story.output.isEmpty)
        #expect(story.errors.count == 1)
        #expect(
          story.errors.first?.hasPrefix("error: no file matches \(pattern)") == true,
          "\(story.errors)")
      }
      // A file may have such a name.
      let odd = stage.file("a*.fits")
      try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: odd)
      let story = try await stage.skynet("engage", "--no-discovery", "--image", odd).end()
      #expect(story.status == 0, "\(story.errors)")
    }
  }

  @Test(
    "A file that cannot be written is reported before the scan",
    arguments: ["--results", "--catalog"])
  func anUnwritableFileIsReportedFirst(flag: String) async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: image)
      let path = stage.file("absent") + "/file"
      let story = try await stage.skynet(
        "engage", "--no-discovery", "--image", image, flag, path
      ).end()
      #expect(story.status == 2)
      let complaint = try #require(story.errors.first)
      #expect(complaint.hasPrefix("error: ") && complaint.contains("\(path)"), "\(complaint)")
      #expect(complaint.contains("No such file or directory"), "\(complaint)")
      // No line about a sector and no source: nothing was scanned.
      #expect(story.errors.count == 1 && story.output.isEmpty, "\(story.errors)")
    }
  }

  @Test("A port in use is reported")
  func aPortInUseIsReported() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let second = try stage.skynet(
        "node", "--name", "b", "--host", "127.0.0.1", "--port", "\(a.port)", "--no-discovery")
      let story = try await second.end()
      #expect(story.status == 2)
      let line = try #require(story.errors.last)
      #expect(line.hasPrefix("error: ") && line.contains("\(a.port)"), "\(line)")
      #expect(line.contains("in use"), "\(line)")
    }
  }
}
