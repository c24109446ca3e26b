import Foundation
import SkyScan
import Testing

/// Many images in one run.
@Suite("A night of images", .timeLimit(.ample))
struct NightTests {
  @Test("Two nodes scan small frames and a large one, and every catalogue is that of a run alone")
  func spread() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(5)
      try await frames.add("wide.fits", width: 4160, height: 96)
      let alone = try await frames.alone()

      let truncated = stage.file("night/truncated.fits")
      let whole = try Data(contentsOf: URL(fileURLWithPath: frames.paths[0]))
      try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: truncated))
      let missing = stage.file("night/missing.fits")
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let run = try await stage.engage(
        peers: [a.port, b.port],
        frames.arguments(
          and: ["--no-local", "--wait-for", "2"], images: [truncated, missing])
      ).outcome()
      #expect(run.status == 1, "\(run.errors)")
      #expect(try frames.expectWhole(alone) == 6)
      let night = try NightLine(run.errors)
      #expect((night.done, night.total, night.failed, night.left) == (6, 8, 2, 0))
      let failures = run.errors.filter { $0.hasPrefix("no catalogue: ") }
      #expect(failures.count == 2)
      for path in [truncated, missing] {
        #expect(failures.contains { $0.contains(path) }, "\(failures)")
      }
      // The wide frame is cut, and the others are one task each, with their names in the results.
      #expect(run.results.filter { $0.result != nil }.count > 6)
      #expect(Set(run.shares.keys).isSubset(of: ["a", "b"]))
    }
  }

  @Test("A followed file that never becomes complete is named, and costs the exit status")
  func incomplete() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(1)
      let whole = try Data(contentsOf: URL(fileURLWithPath: frames.paths[0]))
      try whole.prefix(whole.count / 2)
        .write(to: URL(fileURLWithPath: stage.file("night/half.fits")))
      let run = try await stage.engage([
        "--follow", stage.file("night"), "--until-idle", "1s", "--catalog",
        stage.file("out/{name}.csv"), "--summary", stage.file("summary.csv"),
      ]).outcome()
      #expect(run.status == 1, "\(run.errors)")
      #expect(run.errors.contains { $0.hasPrefix("not scanned: ") && $0.contains("half.fits") })
      #expect(try NightLine(run.errors).done == 1)
      // It counts as failed, with a row of its own, and the run has said that it waits.
      #expect(run.errors.contains { $0.contains("1 of 2 images, ") && $0.contains(", 1 failed") })
      let table = try String(contentsOfFile: stage.file("summary.csv"), encoding: .utf8)
      let row = table.split(separator: "\n").first { $0.contains("half.fits,failed,") }
      #expect(row?.contains("is not complete") == true, "\(table)")
      #expect(
        run.errors.count { $0.contains("waiting for images to come into ") } == 1, "\(run.errors)")
    }
  }

  @Test("A killed night goes on, whichever process is killed, and no catalogue is ever partial")
  func killed() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(14, side: 512)
      try await frames.add("wide.fits", width: 4160, height: 96)
      let alone = try await frames.alone()
      let node = try await RestartableNode.onLoopback("a", stage, "--slots", "1")
      let port = await node.current.port
      let arguments = frames.arguments(
        and: ["--no-local", "--wait-for", "1", "--journal", stage.file("night.sqlite")])
      for round in 1...4 {
        let run = try stage.engage(peers: [port], arguments)
        // On a machine that is fast between a line and a signal, nothing may be left in the last rounds.
        let isBegun = (try? await run.completions(1, by: "a")) != nil
        if isBegun, round.isMultiple(of: 2) {
          try await node.end(by: SIGKILL)
          try await node.startAgain()
          _ = try? await run.completions(2, by: "a")
        }
        run.process.send(SIGKILL)
        _ = try await run.process.end()
        #expect(isBegun || round > 1)
        try frames.expectWhole(alone)
      }
      try Data().write(to: URL(fileURLWithPath: stage.file("out/frame1.csv.0123ABCD.partial")))
      let last = try await stage.engage(peers: [port], arguments).outcome()
      #expect(last.status == 0, "\(last.errors)")
      #expect(try frames.expectWhole(alone) == 15)
      // What the killed ones left behind is gone, also beside images that were done.
      let names = try FileManager.default.contentsOfDirectory(atPath: stage.file("out"))
      #expect(names.count == 15, "\(names)")
      let night = try NightLine(last.errors)
      #expect((night.done, night.total, night.failed, night.left) == (15, 15, 0, 0))
      #expect(night.before > 0)
    }
  }

  @Test("Images that are done are not scanned again, unless their files have changed")
  func done() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(4)
      let alone = try await frames.alone()
      let arguments = frames.arguments(and: ["--journal", stage.file("night.sqlite")])
      #expect(try await stage.engage(arguments).outcome().status == 0)
      #expect(try frames.expectWhole(alone) == 4)

      // The same file with the same size and modification time, but another content.
      try WrittenOver.change(frames.paths[0], keepsTime: true) { file in
        try file.seek(toOffset: 2880 + 5000)
        try file.write(contentsOf: Data(repeating: 0x42, count: 4000))
      }
      // Another time, and the same content: it is read, and nothing has changed.
      let touched = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_000_000)]
      try FileManager.default.setAttributes(touched, ofItemAtPath: frames.paths[1])
      // Another image in its place.
      try FileManager.default.removeItem(atPath: frames.paths[2])
      try await NightFrames.draw(frames.paths[2], seed: 99)
      let again = try await stage.engage(arguments).outcome()
      #expect(again.status == 0, "\(again.errors)")
      let night = try NightLine(again.errors)
      #expect((night.done, night.before, night.failed) == (4, 2, 0), "\(again.errors)")
      let changed = again.errors.filter { $0.contains("has changed since it was scanned") }
      #expect(changed.count == 2, "\(again.errors)")
      var expected = alone
      for path in [frames.paths[0], frames.paths[2]] {
        #expect(changed.contains { $0.contains(path) }, "\(again.errors)")
        expected[path] = try await frames.alone(path)
        #expect(expected[path] != alone[path])
      }
      #expect(try frames.expectWhole(expected) == 4)

      // Once more, with nothing to do: the changed image's scan is the one that counts. No system has to come for that.
      let third = try await stage.engage(
        peers: [1], arguments + ["--no-local", "--wait-for", "1", "--wait-timeout", "600"]
      ).outcome()
      #expect(third.status == 0)
      #expect(try NightLine(third.errors).before == 4)
      #expect(!third.errors.contains { $0.contains("has changed") }, "\(third.errors)")
    }
  }

  @Test(
    "A frame that is replaced while its night stands still is said and scanned anew, and one that is repaired is scanned"
  )
  func replaced() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(3)
      let truncated = frames.paths[1]
      let whole = try Data(contentsOf: URL(fileURLWithPath: truncated))
      try whole.prefix(3000).write(to: URL(fileURLWithPath: truncated))
      let arguments = frames.arguments(and: ["--journal", stage.file("night.sqlite")])
      let first = try await stage.engage(arguments).outcome()
      #expect(first.status == 1)
      #expect(try NightLine(first.errors).failed == 1)
      // Unchanged, it fails as before, without another scan of anything.
      let second = try await stage.engage(arguments).outcome()
      #expect(second.status == 1)
      #expect(try NightLine(second.errors).failed == 1)
      #expect(second.errors.contains { $0.hasPrefix("no catalogue: \(truncated)") })

      try whole.write(to: URL(fileURLWithPath: truncated))
      let third = try await stage.engage(arguments).outcome()
      #expect(third.status == 0, "\(third.errors)")
      #expect(try NightLine(third.errors).before == 2)
      // It was not scanned before.
      #expect(!third.errors.contains { $0.contains("changed") }, "\(third.errors)")
      #expect(try frames.expectWhole(try await frames.alone()) == 3)
    }
  }

  @Test(
    "Images whose weights or own settings have changed are said and scanned anew, and no others")
  func changedInputs() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(3)
      let (one, two, list) = (stage.file("one.sex"), stage.file("two.sex"), stage.file("list"))
      let weights = frames.paths.indices.map { stage.file("night/weight-frame\($0 + 1).fits") }
      for (index, path) in weights.enumerated() {
        try await NightFrames.draw(path, seed: 50 + index)
      }
      func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      }
      try write("DETECT_MINAREA 6\n", to: one)
      try write("DETECT_MINAREA 6\n", to: two)
      try write(
        "\(frames.paths[0])\t\(one)\n\(frames.paths[1])\t\(two)\n\(frames.paths[2])\n", to: list)
      let arguments = [
        "--images", list, "--catalog", stage.file("out/{name}.csv"), "--journal",
        stage.file("night.sqlite"), "--weight", stage.file("night/weight-{name}.fits"),
      ]
      let first = try await stage.engage(arguments).outcome()
      #expect(first.status == 0, "\(first.errors)")

      // Other times and the same contents change nothing.
      let touched = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_000_000)]
      for path in [one, weights[2]] {
        try FileManager.default.setAttributes(touched, ofItemAtPath: path)
      }
      try write("DETECT_MINAREA 60\n", to: two)
      let second = try await stage.engage(arguments).outcome()
      #expect(second.status == 0, "\(second.errors)")
      #expect(try NightLine(second.errors).before == 2, "\(second.errors)")
      var changes = second.errors.filter { $0.contains("scanned anew") }
      #expect(changes.count == 1 && changes[0].contains("\(two), which has changed"), "\(changes)")

      try FileManager.default.removeItem(atPath: weights[2])
      try await NightFrames.draw(weights[2], seed: 99)
      try write(
        "\(frames.paths[0])\n\(frames.paths[1])\t\(two)\n\(frames.paths[2])\n", to: list)
      let third = try await stage.engage(arguments).outcome()
      #expect(third.status == 0, "\(third.errors)")
      #expect(try NightLine(third.errors).before == 1, "\(third.errors)")
      changes = third.errors.filter { $0.contains("scanned anew") }
      #expect(changes.count == 2, "\(changes)")
      #expect(changes.contains { $0.contains("\(frames.paths[0]) has another file with settings") })
      #expect(changes.contains { $0.contains("\(weights[2]), which has changed") })

      let last = try await stage.engage(arguments).outcome()
      #expect(try NightLine(last.errors).before == 3, "\(last.errors)")
    }
  }

  @Test("--retry-failed scans images that failed once more, and no others")
  func retryFailed() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(2)
      let weights = stage.file("night/weight-frame2.fits")
      try await NightFrames.draw(stage.file("night/weight-frame1.fits"), seed: 50)
      let arguments = frames.arguments(
        and: [
          "--weight", stage.file("night/weight-{name}.fits"), "--journal",
          stage.file("night.sqlite"),
        ])
      let first = try await stage.engage(arguments).outcome()
      #expect(first.status == 1)
      #expect(try NightLine(first.errors).failed == 1)
      #expect(first.errors.contains { $0.hasPrefix("no catalogue: ") && $0.contains(weights) })

      try await NightFrames.draw(weights, seed: 51)
      let retried = try await stage.engage(arguments + ["--retry-failed"]).outcome()
      #expect(retried.status == 0, "\(retried.errors)")
      let night = try NightLine(retried.errors)
      #expect((night.done, night.before) == (2, 1))
      for path in frames.paths {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let catalog = frames.catalog(of: path, in: "alone")
        let alone = try await stage.engage([
          "--image", path, "--weight", stage.file("night/weight-\(name)"), "--catalog", catalog,
        ]).outcome()
        #expect(alone.status == 0)
        #expect(
          FileManager.default.contents(atPath: catalog)
            == FileManager.default.contents(atPath: frames.catalog(of: path)))
      }
    }
  }

  @Test("Ctrl-C leaves complete catalogues only, and the same command goes on from the journal")
  func interrupted() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage, options: ["--slots", "1"])
      try await frames.add(12, side: 512)
      let alone = try await frames.alone()
      let arguments = frames.arguments(and: ["--journal", stage.file("night.sqlite")])
      let run = try stage.engage(arguments)
      try await run.standStill(after: 2, by: "local")
      run.process.send(SIGINT)
      run.process.send(SIGCONT)
      let stopped = try await run.outcome()
      try frames.expectWhole(alone)
      #expect(stopped.status == 130)
      let night = try NightLine(stopped.errors)
      #expect(night.done > 0 && night.done + night.left == 12 && night.failed == 0)
      let last = try await stage.engage(arguments).outcome()
      #expect(last.status == 0, "\(last.errors)")
      #expect(try frames.expectWhole(alone) == 12)
      #expect(try NightLine(last.errors).before > 0)
    }
  }

  /// A stopped node's scans never end, and with so long a timeout it is not given up.
  @Test("Ctrl-C waits ten seconds at most, and the same command does what had not ended by then")
  func interruptedScans() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(20, side: 512)
      let node = try await stage.node("a", "--slots", "1")
      let summary = stage.file("summary.csv")
      let arguments = frames.arguments(
        and: [
          "--no-local", "--wait-for", "1", "--timeout", "60", "--summary", summary, "--journal",
          stage.file("night.sqlite"),
        ])
      let run = try stage.engage(peers: [node.port], arguments)
      try await run.standStill(node.process, after: 1, by: "a")
      let begin = ContinuousClock.now
      run.process.send(SIGINT)
      let stopped = try await run.outcome()
      node.process.send(SIGCONT)
      #expect(begin.duration(to: .now) < .seconds(20))
      #expect(stopped.status == 130, "\(stopped.errors)")
      #expect(stopped.errors.contains { $0.contains("at most 10.0 s; Ctrl-C again stops now") })
      #expect(stopped.errors.contains { $0.contains("not ended within 10.0 s") })
      let night = try NightLine(stopped.errors)
      #expect(
        night.done > 0 && night.left > 0 && night.done + night.left == 20, "\(stopped.errors)")
      let rows = try String(contentsOfFile: summary, encoding: .utf8).split(separator: "\n")
      #expect(rows.count { $0.contains(",done,") } == night.done)

      let last = try await stage.engage(peers: [node.port], arguments).outcome()
      #expect(last.status == 0, "\(last.errors)")
      #expect(try NightLine(last.errors).before == night.done)
      #expect(try frames.expectWhole(try await frames.alone()) == 20)
    }
  }

  @Test("An output that cannot be written ends the night, and the journal keeps what was done")
  func unwritable() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage, options: ["--slots", "1"])
      try await frames.add(6)
      let alone = try await frames.alone()
      let blocked = frames.catalog(of: frames.paths[3])
      try FileManager.default.createDirectory(
        atPath: blocked, withIntermediateDirectories: true)
      let arguments = frames.arguments(and: ["--journal", stage.file("night.sqlite")])
      let run = try await stage.engage(arguments).outcome()
      #expect(run.status == 2, "\(run.errors)")
      #expect(run.errors.last?.contains(blocked) == true, "\(run.errors)")
      #expect(run.errors.last?.contains("night.sqlite keeps what was done") == true)

      try FileManager.default.removeItem(atPath: blocked)
      let last = try await stage.engage(arguments).outcome()
      #expect(last.status == 0, "\(last.errors)")
      #expect(try frames.expectWhole(alone) == 6)
    }
  }

  private static let canMount =
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")

  @Test(
    "A folder that cannot be written ends the night with its journal kept, and a restart completes it",
    .enabled(if: canMount, "needs root and unshare to make a read-only folder"))
  func readOnly() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(4)
      let alone = try await frames.alone()
      let script = """
        out=$1; shift
        mount -t tmpfs none "$out" && mount -o remount,ro "$out" || exit 77
        "$@"; echo "first $?" >&2
        mount -o remount,rw "$out"
        "$@"; echo "second $?" >&2
        mkdir "$out.kept" && cp "$out"/*.csv "$out.kept"
        """
      let arguments = frames.arguments(
        and: ["--slots", "2", "--journal", stage.file("night.sqlite")])
      let run = try stage.launch(
        "/usr/bin/unshare",
        [
          "-m", "sh", "-c", script, "sh", stage.file("out"), Paths.binary, "engage",
          "--no-discovery",
        ]
          + arguments)
      let story = try await run.end()
      #expect(story.errors.contains("first 2"), "\(story.errors)")
      #expect(story.errors.contains("second 0"), "\(story.errors)")
      for (path, catalog) in alone {
        let name = URL(fileURLWithPath: frames.catalog(of: path)).lastPathComponent
        #expect(FileManager.default.contents(atPath: stage.file("out.kept/\(name)")) == catalog)
      }
    }
  }

  @Test("A list names the images, also on standard input, and one image may be a night")
  func lists() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(2)
      let alone = try await frames.alone()
      let list = stage.file("list")
      try Data((frames.paths.joined(separator: "\n") + "\n").utf8).write(
        to: URL(fileURLWithPath: list))
      let pattern = ["--catalog", stage.file("out/{name}.csv")]
      let run = try await stage.engage(["--images", list] + pattern).outcome()
      #expect(run.status == 0, "\(run.errors)")
      #expect(try frames.expectWhole(alone) == 2)
      for path in frames.paths {
        try FileManager.default.removeItem(atPath: frames.catalog(of: path))
      }
      let single = try await stage.engage(["--image", frames.paths[0]] + pattern).outcome()
      #expect(single.status == 0, "\(single.errors)")
      #expect(try frames.expectWhole(alone) == 1)
    }
  }

  @Test("Images whose outputs would be one file are refused before anything runs")
  func clashes() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(1)
      try FileManager.default.createDirectory(
        atPath: stage.file("night/other"), withIntermediateDirectories: true)
      try await frames.add("other/frame1.fits", width: 256, height: 256)
      let run = try await stage.engage(frames.arguments()).outcome()
      #expect(run.status == 64)
      #expect(run.errors.first?.contains("frame1.csv") == true, "\(run.errors)")
      // In a list it is no fault of the command line.
      let list = stage.file("list")
      try Data((frames.paths.joined(separator: "\n") + "\n").utf8).write(
        to: URL(fileURLWithPath: list))
      let listed = try await stage.engage(
        ["--images", list, "--catalog", stage.file("out/{name}.csv")]
      ).outcome()
      #expect(listed.status == 2)
      #expect(listed.errors.last?.contains("frame1.csv") == true, "\(listed.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.file("out")).isEmpty)
    }
  }
}
