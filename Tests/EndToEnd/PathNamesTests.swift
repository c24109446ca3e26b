import Foundation
import SkyScan
import Testing

/// Names of files that a text of Swift's does not tell apart, or cannot hold.
@Suite("Names of files", .timeLimit(.ample))
struct PathNamesTests {
  private static let names = ["caf\u{e9}", "cafe\u{301}"]

  /// Makes two images whose names Unicode calls equal, in a folder whose name begins with a combining mark.
  private func prepare(_ stage: Stage) async throws -> [String] {
    for folder in ["\u{301}k", "out", "alone"] {
      try FileManager.default.createDirectory(
        atPath: stage.file(folder), withIntermediateDirectories: true)
    }
    var paths: [String] = []
    for name in Self.names {
      paths.append(stage.file("\u{301}k") + "/\(name).fits")
      try await NightFrames.draw(paths[paths.count - 1], width: 128, height: 128, seed: paths.count)
    }
    return paths
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test(
    "Two images whose names Unicode calls equal are scanned once each, however they are named",
    arguments: ["words", "pattern", "list", "follow"])
  func equalNames(way: String) async throws {
    try await Stage.with { stage in
      let paths = try await prepare(stage)
      var alone: [Data] = []
      for (path, name) in zip(paths, Self.names) {
        let catalog = stage.file("alone") + "/\(name).csv"
        let run = try await stage.engage(["--image", path, "--catalog", catalog]).outcome()
        try #require(run.status == 0, "\(run.errors)")
        alone.append(try bytes(catalog))
      }
      try #require(alone[0] != alone[1])
      let list = stage.file("list")
      try Data(paths.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: list))
      let folder = stage.file("\u{301}k")
      let images =
        switch way {
        case "words": ["--image"] + paths
        case "pattern": ["--image", "\(folder)/*.fits"]
        case "list": ["--images", list]
        default: ["--follow", folder, "--until-idle", "1s"]
        }
      let arguments =
        images + [
          "--catalog", stage.file("out") + "/{name}.csv", "--journal", stage.file("night.sqlite"),
          "--summary", stage.file("summary.csv"),
        ]
      for before in [0, 2] {
        let run = try await stage.engage(arguments).outcome()
        #expect(run.status == 0, "\(run.errors)")
        let night = try NightLine(run.errors)
        #expect((night.done, night.total, night.before) == (2, 2, before), "\(run.errors)")
        for (name, catalog) in zip(Self.names, alone) {
          #expect(try bytes(stage.file("out") + "/\(name).csv") == catalog)
        }
      }
      let table = try String(contentsOfFile: stage.file("summary.csv"), encoding: .utf8)
      #expect(table.split(separator: "\n").count == 3, "\(table)")
    }
  }

  @Test("A quoted pattern names images, with an extension, and in a folder whose name is a pattern")
  func patterns() async throws {
    try await Stage.with { stage in
      for folder in ["[k]", "k", "out"] {
        try FileManager.default.createDirectory(
          atPath: stage.file(folder), withIntermediateDirectories: true)
      }
      for (seed, name) in ["[k]/im1", "[k]/im2", "k/im3"].enumerated() {
        try await NightFrames.draw(
          stage.file("\(name).fits"), width: 128, height: 128, seed: seed + 1)
      }
      for pattern in ["[k]/im*.fits", "[k]/im?.fits[0]", "[k]/im[12].fits"] {
        try FileManager.default.removeItem(atPath: stage.file("out"))
        let run = try await stage.engage([
          "--image", stage.file(".") + "/\(pattern)", "--catalog", stage.file("out/{name}.csv"),
        ]).outcome()
        #expect(run.status == 0, "\(pattern): \(run.errors)")
        let made = try FileManager.default.contentsOfDirectory(atPath: stage.file("out"))
        #expect(made.sorted() == ["im1.csv", "im2.csv"], "\(pattern)")
      }
      let one = try await stage.skynet(
        "engage", "--no-discovery", "--image", stage.file(".") + "/?/im*.fits"
      ).end()
      #expect(one.status == 0 && one.output.count > 3, "\(one.errors)")
      let none = try await stage.skynet(
        "engage", "--no-discovery", "--image", stage.file("[k]/x*.fits")
      ).end()
      #expect(none.status == 2 && none.errors.last?.contains("no file matches ") == true)
      let sex = try await stage.skynet("sex", stage.file("[k]/im*.fits")).end()
      #expect(
        sex.status == 1 && sex.errors.contains { $0.contains("im*.fits names 2 files") },
        "\(sex.errors)")
    }
  }

  @Test("A name that is not UTF-8 is told as that, and other images are scanned")
  func oddNames() async throws {
    try await Stage.with { stage in
      try await NightFrames.draw(stage.file("a.fits"), width: 128, height: 128, seed: 1)
      func end(_ command: String) async throws -> RunningProcess.Story {
        let script =
          #"cd "$1"; odd=$(printf 'b\351'); cp a.fits "$odd.fits"; skynet() { "$SKYNET" "$@"; }; eval "$2""#
        return try await stage.launch(
          "/bin/sh", ["-c", script, "sh", stage.file("."), command], ["SKYNET": Paths.binary]
        ).end()
      }
      let engage = "skynet engage --no-discovery"
      for (command, status) in [
        ("\(engage) --image *.fits --catalog '{name}.csv'", 1),
        ("\(engage) --image '*.fits' --catalog '{name}.csv'", 1),
        ("\(engage) --follow . --until-idle 1s --catalog '{name}.csv'", 1),
        ("\(engage) --image $odd.fits", 2), ("skynet sex $odd.fits", 1),
        ("skynet sex a.fits -c $odd.sex", 1), ("skynet sex a.fits -CATALOG_NAME $odd.cat", 1),
        ("\(engage) --images $odd.fits --catalog '{name}.csv'", 2),
        ("\(engage) --image a.fits --config $odd.fits --catalog a.csv", 64),
        ("\(engage) --image a.fits --catalog $odd.csv", 64),
        ("\(engage) --image a.fits --catalog a.csv --results=$odd.jsonl", 64),
        ("\(engage) --total 1 --journal $odd.sqlite", 64),
        ("skynet runs $odd.sqlite", 2), ("skynet report $odd.sqlite", 2),
        ("skynet merge --image a.fits --background 'b*'", 2), ("skynet make-sky $odd.sky", 2),
        ("\(engage) --inputs *.fits -- echo", 1), ("\(engage) --inputs '*.fits' -- echo", 1),
        ("\(engage) --inputs a --output $odd.txt -- echo", 64),
        ("\(engage) --total 1 -- echo $odd", 64),
      ] as [(String, Int32)] {
        try? FileManager.default.removeItem(atPath: stage.file("a.csv"))
        let story = try await end(command)
        #expect(story.status == status, "\(command): \(story.errors)")
        let isTold = story.errors.contains { $0.contains("b\u{fffd}") && $0.contains("not UTF-8") }
        #expect(isTold, "\(command): \(story.errors)")
        if command.contains("{name}"), !command.contains("--images") {
          #expect(FileManager.default.fileExists(atPath: stage.file("a.csv")), "\(command)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: stage.file("."))
        #expect(
          !names.contains { $0.hasPrefix("b\u{fffd}") && !$0.hasSuffix(".fits") }, "\(names)")
      }
    }
  }

  @Test(
    "Names that are not UTF-8 are told apart, in any order, and other images are scanned",
    arguments: [
      "--image $one $two ok.fits", "--image ok.fits $two $one", "--image *.fits",
      "--image '*.fits'", "--follow . --until-idle 1s",
    ])
  func severalOddNames(images: String) async throws {
    try await Stage.with { stage in
      try await NightFrames.draw(stage.file("ok.fits"), width: 128, height: 128, seed: 1)
      let script =
        #"cd "$1"; one=$(printf '\376.fits'); two=$(printf '\377.fits'); cp ok.fits $one; cp ok.fits $two; "#
        + #""$SKYNET" engage --no-discovery --catalog 'o/{name}.csv' --summary s.csv "#
      let story = try await stage.launch(
        "/bin/sh", ["-c", script + images, "sh", stage.file(".")], ["SKYNET": Paths.binary]
      ).end()
      #expect(story.status == 1, "\(story.errors)")
      let summary = try String(contentsOfFile: stage.file("s.csv"), encoding: .utf8)
      for name in ["\u{fffd}\\xfe.fits", "\u{fffd}\\xff.fits"] {
        #expect(
          story.errors.contains { $0.contains(name) && $0.contains("not UTF-8") },
          "\(story.errors)")
        #expect(summary.contains(name), "\(summary)")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: stage.file("o")) == ["ok.csv"])
      #expect(summary.split(separator: "\n").count == 4, "\(summary)")
    }
  }
}
