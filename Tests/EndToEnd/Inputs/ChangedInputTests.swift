import Foundation
import SkyScan
import Testing

/// Inputs of a run that are written over while it runs.
@Suite("Inputs that change during a run", .timeLimit(.ample))
struct ChangedInputTests {
  /// Two images of one size, a weight map and another one, and files with settings.
  private struct Files {
    let stage: Stage
    let side: Int
    var image: String { stage.file("night/x.fits") }
    var other: String { stage.file("other.fits") }
    /// A copy of the image.
    var first: String { stage.file("first.fits") }
    var weights: String { stage.file("weights.fits") }
    var configuration: String { stage.file("x.sex") }
    var kernel: String { stage.file("x.conv") }
    var catalog: String { stage.file("x.csv") }
    var journal: String { stage.file("run.sqlite") }

    init(_ stage: Stage, side: Int = 1024) async throws {
      self.stage = stage
      self.side = side
      for folder in ["night", "elsewhere", "out"] {
        try FileManager.default.createDirectory(
          atPath: stage.file(folder), withIntermediateDirectories: true)
      }
      for (path, seed) in [(image, 1), (other, 2)] {
        try await SyntheticSky(
          width: side, height: side, starCount: 300, seed: UInt64(seed)
        ).write(to: path)
      }
      try await SyntheticSky(width: side, height: side, starCount: 0, seed: 3).write(to: weights)
      try FileManager.default.copyItem(atPath: image, toPath: first)
      try Data("CONV NORM\n1 2 1\n2 4 2\n1 2 1\n".utf8).write(to: URL(fileURLWithPath: kernel))
      try Data("DETECT_MINAREA 5\nFILTER Y\nFILTER_NAME \(kernel)\n".utf8).write(
        to: URL(fileURLWithPath: configuration))
    }

    /// The options of a scan whose sectors are many.
    func options(_ more: String...) -> [String] {
      ["--image", image, "--sector-size", "64", "--slots", "1"] + more
    }

    /// The catalogue of an undisturbed run.
    func alone() async throws -> Data {
      let path = stage.file("alone.csv")
      let run = try await stage.engage(["--image", first, "--catalog", path]).outcome()
      try #require(run.status == 0, "\(run.errors)")
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// The catalogue; `nil` if there is none.
    var written: Data? { FileManager.default.contents(atPath: catalog) }
  }

  private static func word(_ errors: [String], of path: String) -> Bool {
    errors.contains { $0.contains(path) && $0.contains("was changed while it was in use") }
  }

  @Test("An image that is written over costs its run", arguments: [false, true])
  func image(keepsTime: Bool) async throws {
    try await Stage.with { stage in
      let files = try await Files(stage)
      try Data("kept".utf8).write(to: URL(fileURLWithPath: files.catalog))
      let run = try stage.engage(files.options("--catalog", files.catalog))
      try await run.whileStopped(after: 10, by: "local") {
        try WrittenOver.overwrite(
          files.image, with: files.other, from: 2880, keepsTime: keepsTime)
      }
      let outcome = try await run.outcome()
      #expect(
        outcome.status == 2 && Self.word(outcome.errors, of: files.image), "\(outcome.errors)")
      #expect(files.written == Data("kept".utf8))
    }
  }

  @Test("What a journal has of an image that was written over is forgotten, also after a kill")
  func journal() async throws {
    try await Stage.with { stage in
      let files = try await Files(stage)
      let alone = try await files.alone()
      let options = files.options("--catalog", files.catalog, "--journal", files.journal)
      for isKilled in [false, true] {
        let run = try stage.engage(options)
        try await run.whileStopped(after: 10, by: "local") {
          try WrittenOver.overwrite(files.image, with: files.other, from: 2880, keepsTime: true)
        }
        if isKilled {
          // Some of these are of the other image.
          try await run.standStill(after: 20, by: "local")
          run.process.send(SIGKILL)
          _ = try await run.process.end()
        } else {
          let outcome = try await run.outcome()
          #expect(outcome.status == 2, "\(outcome.errors)")
        }
        #expect(files.written == nil)
        try WrittenOver.overwrite(files.image, with: files.first, keepsTime: true)
      }
      let last = try await stage.engage(options).outcome()
      #expect(last.status == 0, "\(last.errors)")
      #expect(last.errors.contains { $0.contains("are forgotten") }, "\(last.errors)")
      #expect(try last.summary.before == 0)
      #expect(files.written == alone)
      // Nothing is left to do, and the catalogue is written again.
      try FileManager.default.removeItem(atPath: files.catalog)
      let again = try await stage.engage(options).outcome()
      #expect(again.status == 0 && again.errors[0].contains("nothing is left to do"))
      #expect(files.written == alone)
    }
  }

  @Test("A run that ended in order goes on with an image that has other times or another place")
  func touched() async throws {
    try await Stage.with { stage in
      let files = try await Files(stage)
      let alone = try await files.alone()
      let options = files.options("--catalog", files.catalog, "--journal", files.journal)
      let run = try stage.engage(options)
      try await run.standStill(after: 10, by: "local")
      run.process.send(SIGINT)
      run.process.send(SIGCONT)
      #expect(try await run.outcome().status == 130)
      try FileManager.default.removeItem(atPath: files.image)
      try FileManager.default.copyItem(atPath: files.first, toPath: files.image)
      let last = try await stage.engage(options).outcome()
      #expect(last.status == 0, "\(last.errors)")
      #expect(try last.summary.before > 0)
      #expect(files.written == alone)
    }
  }

  @Test(
    "Weights, a configuration and a kernel that are written over cost the run as well",
    arguments: ["weights.fits", "x.sex", "x.conv"], [false, true])
  func otherInputs(name: String, keepsTime: Bool) async throws {
    try await Stage.with { stage in
      let files = try await Files(stage)
      let run = try stage.engage(
        files.options(
          "--catalog", files.catalog, "--weight", files.weights, "--config", files.configuration))
      try await run.whileStopped(after: 10, by: "local") {
        try WrittenOver.change(stage.file(name), keepsTime: keepsTime) { file in
          try file.seek(toOffset: name == "weights.fits" ? 4000 : 15)
          try file.write(contentsOf: Data("6".utf8))
        }
      }
      let outcome = try await run.outcome()
      #expect(
        outcome.status == 2 && Self.word(outcome.errors, of: stage.file(name)),
        "\(outcome.errors)")
      #expect(files.written == nil)
    }
  }

  @Test(
    "So does an image that nodes read themselves, or are sent", arguments: ["night", "elsewhere"])
  func nodes(data: String) async throws {
    try await Stage.with { stage in
      let files = try await Files(stage)
      let node = try await stage.node("a", "--slots", "1", "--data", stage.file(data))
      let run = try stage.engage(
        peers: [node.port],
        [
          "--image", files.image, "--sector-size", "64", "--no-local", "--wait-for", "1",
          "--catalog", files.catalog,
        ])
      try await run.standStill(node.process, after: 10, by: "a")
      try WrittenOver.overwrite(files.image, with: files.other, from: 2880, keepsTime: true)
      node.process.send(SIGCONT)
      let outcome = try await run.outcome()
      #expect(
        outcome.status == 2 && Self.word(outcome.errors, of: files.image), "\(outcome.errors)")
      #expect(files.written == nil)
    }
  }

  @Test(
    "In a night it costs the image, and the next run scans that anew",
    arguments: ["night/x.fits", "weights.fits"], [false, true])
  func night(name: String, hasJournal: Bool) async throws {
    try await Stage.with { stage in
      let files = try await Files(stage)
      try await NightFrames.draw(stage.file("night/small.fits"), seed: 9)
      let catalogs = [stage.file("out/x.csv"), stage.file("out/small.csv")]
      let weight = name == "weights.fits" ? ["--weight", files.weights] : []
      let images =
        weight.isEmpty ? [files.image, stage.file("night/small.fits")] : [files.image]
      let options =
        ["--image"] + images + weight
        + ["--catalog", stage.file("out/{name}.csv"), "--sector-size", "64", "--slots", "1"]
        + (hasJournal ? ["--journal", files.journal] : [])
      let undisturbed = stage.file("undisturbed.fits")
      try FileManager.default.copyItem(atPath: stage.file(name), toPath: undisturbed)
      let run = try stage.engage(options)
      try await run.process.standStill { [image = files.image] story in
        story.errors.count { $0.hasPrefix("completed ") && $0.contains(" of '\(image)' ") } >= 10
      }
      try WrittenOver.overwrite(stage.file(name), with: files.other, from: 2880, keepsTime: true)
      run.process.send(SIGCONT)
      let outcome = try await run.outcome()
      #expect(outcome.status == 1, "\(outcome.errors)")
      #expect(
        outcome.errors.contains {
          $0.hasPrefix("no catalogue: \(files.image): ")
            && $0.contains("was changed while it was scanned; the same command scans it again")
        }, "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: catalogs[0]))
      #expect(FileManager.default.fileExists(atPath: catalogs[1]) == weight.isEmpty)

      try WrittenOver.overwrite(stage.file(name), with: undisturbed, keepsTime: true)
      let again = try await stage.engage(options).outcome()
      #expect(again.status == 0, "\(again.errors)")
      #expect(
        try NightLine(again.errors).before == (hasJournal && weight.isEmpty ? 1 : 0),
        "\(again.errors)")
      let alone = stage.file("alone.csv")
      let single = try await stage.engage(
        ["--image", files.image, "--catalog", alone] + weight
      ).outcome()
      #expect(single.status == 0)
      #expect(
        FileManager.default.contents(atPath: catalogs[0])
          == FileManager.default.contents(atPath: alone))
    }
  }

  @Test("Settings that are touched cost the images that follow, and the next run scans those")
  func settings() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      // More than are open at a time.
      try await frames.add(80, side: 128)
      let configuration = stage.file("x.sex")
      try Data("DETECT_MINAREA 5\n".utf8).write(to: URL(fileURLWithPath: configuration))
      let options = frames.arguments(and: [
        "--config", configuration, "--slots", "1", "--journal", stage.file("night.sqlite"),
      ])
      let run = try stage.engage(options)
      // The fourth line comes after the end of the third image.
      try await run.whileStopped(after: 4, by: "local") {
        try WrittenOver.change(configuration) { try $0.write(contentsOf: Data("DETECT".utf8)) }
      }
      let outcome = try await run.outcome()
      #expect(outcome.status == 1, "\(outcome.errors)")
      let night = try NightLine(outcome.errors)
      #expect(night.done >= 3 && night.failed > 0 && night.done + night.failed == 80)
      let words = outcome.errors.filter { $0.hasPrefix("no catalogue: ") }
      // More images with the same reason share a line.
      #expect(!words.isEmpty && words.count <= night.failed)
      #expect(words.contains { $0.contains("\(configuration): was changed while") })
      #expect(words.contains { $0.contains("\(configuration) was changed while it was scanned") })

      let again = try await stage.engage(options).outcome()
      #expect(again.status == 0, "\(again.errors)")
      let rest = try NightLine(again.errors)
      #expect((rest.done, rest.before) == (80, night.done), "\(again.errors)")
    }
  }

  @Test("A share of a batch is not written when its image is written over")
  func batch() async throws {
    try await Stage.with { stage in
      let files = try await Files(stage)
      let scan = try stage.skynet(
        "scan", "--image", files.image, "--background", "--sector-size", "64", "--share", "0/1")
      try await scan.standStill { $0.output.count >= 5 }
      try WrittenOver.overwrite(files.image, with: files.other, from: 2880, keepsTime: true)
      scan.send(SIGCONT)
      let story = try await scan.end()
      #expect(story.status == 2 && Self.word(story.errors, of: files.image), "\(story.errors)")
    }
  }

  @Test("Documents of an image as it was before it was written over are not merged")
  func documents() async throws {
    try await Stage.with { stage in
      let files = try await Files(stage, side: 512)
      func scan(_ arguments: String...) async throws -> RunningProcess.Story {
        try await stage.skynet(
          [arguments[0], "--image", files.image] + arguments.dropFirst()
        ).end()
      }
      let (parts, background) = (stage.file("parts"), stage.file("background"))
      let sources = [stage.file("sources-0"), stage.file("sources-1")]
      _ = try await scan("scan", "--background", "--share", "0/1", "--output", parts)
      _ = try await scan("merge", "--background", "--output", background, parts)
      for (share, output) in sources.enumerated() {
        let story = try await scan(
          "scan", "--background-file", background, "--share", "\(share)/2", "--output", output)
        #expect(story.status == 0, "\(story.errors)")
      }
      try WrittenOver.overwrite(files.image, with: files.other, from: 2880, keepsTime: true)
      let late = try await scan(
        "scan", "--background-file", background, "--share", "1/2", "--output", sources[1])
      #expect(late.status == 2, "\(late.errors)")
      #expect(late.errors.last?.contains("since the background was made from it") == true)
      for step in [
        ["merge", "--background", parts],
        ["merge", "--background-file", background, "--catalog", files.catalog] + sources,
      ] {
        let merged = try await stage.skynet([step[0], "--image", files.image] + step.dropFirst())
          .end()
        #expect(merged.status == 2, "\(merged.errors)")
        #expect(merged.errors.last?.contains("\(files.image) has been changed") == true)
      }
      #expect(files.written == nil)
    }
  }
}
