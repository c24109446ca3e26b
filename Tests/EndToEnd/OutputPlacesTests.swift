import Foundation
import SkyScan
import Testing

/// Where outputs go that are no plain files' names.
@Suite("Places of outputs", .timeLimit(.ample))
struct OutputPlacesTests {
  /// Runs a shell's script in the stage's folder, where `skynet` is the program under test.
  ///
  /// - Returns: what the script has written to the file `out`, by itself or as its standard output.
  private func run(_ script: String, _ stage: Stage) async throws -> Data {
    try? FileManager.default.removeItem(atPath: stage.file("out"))
    let story = try await stage.launch(
      "/bin/sh",
      ["-ec", #"cd "$1"; skynet() { "$SKYNET" "$@"; }; eval "$2""#, "sh", stage.file("."), script],
      ["SKYNET": Paths.binary]
    ).end()
    #expect(story.status == 0, "\(script): \(story.errors)")
    return FileManager.default.contents(atPath: stage.file("out")) ?? Data()
  }

  /// An image, a list of columns, and a quiet command `sex` for them.
  private func prepare(_ stage: Stage) async throws {
    try await SyntheticSky(width: 128, height: 128, starCount: 20).write(to: stage.file("a.fits"))
    try Data("NUMBER\nX_IMAGE\nFLUX_AUTO\n".utf8).write(
      to: URL(fileURLWithPath: stage.file("a.param")))
    try Data("PARAMETERS_NAME a.param\nFILTER N\nVERBOSE_TYPE QUIET\n".utf8).write(
      to: URL(fileURLWithPath: stage.file("default.sex")))
  }

  private static let sex = "skynet sex a.fits -CATALOG_NAME"

  /// Scripts with a loop of three turns, of which each writes the catalogue, and how often `out` has it then behind
  /// `before`, and before `after`.
  private static let loops: [(script: String, catalogs: Int)] = [
    ("for i in 1 2 3; do \(sex) out; done", 1),
    (
      "echo old >real; ln -s real link; for i in 1 2 3; do \(sex) link; done; test -L link; cp real out",
      1
    ),
    (
      "ln -s to real; ln -s real link; for i in 1 2 3; do \(sex) link; test -L link; test -L real; done; cp to out",
      1
    ),
    ("(echo before; for i in 1 2 3; do \(sex) /dev/stdout; done; echo after) | cat >out", 3),
    ("(echo before; for i in 1 2 3; do \(sex) /dev/stdout; done; echo after) >out", 3),
    ("echo before >out; for i in 1 2 3; do \(sex) /dev/stdout >>out; done; echo after >>out", 3),
    ("(echo before; for i in 1 2 3; do \(sex) -; done; echo after) | cat >out", 3),
    ("(echo before; for i in 1 2 3; do \(sex) -; done; echo after) >out", 3),
    ("echo before >out; for i in 1 2 3; do \(sex) - >>out; done; echo after >>out", 3),
    ("(echo before; for i in 1 2 3; do \(sex) STDOUT; done; echo after) >out", 3),
    ("(echo before; for i in 1 2 3; do \(sex) /dev/stderr; done; echo after) >out 2>&1", 3),
    ("exec 3>out; echo before >&3; for i in 1 2 3; do \(sex) /dev/fd/3; done; echo after >&3", 3),
    (
      "exec 3>out; echo before >&3; for i in 1 2 3; do \(sex) /proc/self/fd/3; done; echo after >&3",
      3
    ),
    (
      "ln -s /dev/stdout link; (echo before; for i in 1 2 3; do \(sex) link; done; echo after) >out; test -L link",
      3
    ),
    (
      "mkfifo pipe; (echo before; for i in 1 2 3; do cat pipe; done; echo after) >out & for i in 1 2 3; do \(sex) pipe; done; wait",
      3
    ),
    ("\(sex) out -CATALOG_TYPE NONE; echo nothing >out; \(sex) /dev/null", 0),
  ]

  @Test("A loop of sex loses no byte, wherever the catalogue goes", arguments: loops)
  func sexLoop(script: String, catalogs: Int) async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let one = try await run("\(Self.sex) out", stage)
      try #require(one.count > 200)
      try FileManager.default.removeItem(atPath: stage.file("out"))
      let written = try await run(script, stage)
      let between = (0..<catalogs).reduce(Data()) { all, _ in all + one }
      switch catalogs {
      case 0: #expect(written == Data("nothing\n".utf8))
      case 1: #expect(written == one)
      default: #expect(written == Data("before\n".utf8) + between + Data("after\n".utf8))
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: stage.file("."))
      #expect(!names.contains("-") && !names.contains { $0.hasSuffix(".partial") }, "\(names)")
    }
  }

  /// Commands with OUT in the place of an output, and whether its bytes are the same in every run.
  private static let commands: [(command: String, isSame: Bool)] = {
    let engage = "skynet engage --no-discovery"
    return [
      ("\(engage) --image a.fits --catalog OUT --columns NUMBER,X_IMAGE", true),
      ("\(engage) --image a.fits --catalog a.csv --picture OUT", true),
      ("\(engage) --image a.fits --catalog a.csv --results OUT", false),
      ("\(engage) --image a.fits --catalog a.csv --events OUT", false),
      ("\(engage) --image a.fits --catalog a.csv --summary OUT", false),
      ("\(engage) --total 1 --output OUT -- echo several words", true),
      ("\(engage) --total 3 --in-order --results OUT -- echo", false),
      ("\(engage) --total 3 --results results --summary OUT -- echo", false),
      (
        "skynet sex a.fits -CATALOG_TYPE NONE -CHECKIMAGE_TYPE BACKGROUND -CHECKIMAGE_NAME OUT",
        true
      ),
      ("skynet scan --image a.fits --background --sector 0 --output OUT", true),
      ("skynet merge --image a.fits --background --output OUT sky.json", true),
      ("skynet report run.sqlite --overwrite -o OUT", false),
      ("skynet replay run.sqlite --sector 0 --save OUT >told", false),
      ("skynet make-sky OUT --size 64 --stars 4", true),
    ]
  }()

  private func prepareCommands(_ stage: Stage) async throws {
    try await prepare(stage)
    _ = try await run(
      """
      skynet scan --image a.fits --background --sector 0 --output sky.json
      skynet engage --no-discovery --total 1 --scan-seconds 0 --failing-every 0 --journal run.sqlite
      """, stage)
  }

  @Test(
    "An output that names an open descriptor is written behind what is there", arguments: commands)
  func descriptors(command: String, isSame: Bool) async throws {
    try await Stage.with { stage in
      try await prepareCommands(stage)
      let plain = try await run(command.replacingOccurrences(of: "OUT", with: "out"), stage)
      try #require(!plain.isEmpty)
      func expect(_ written: Data, _ script: String) {
        #expect(written.starts(with: Data("before\n".utf8)), "\(script)")
        let rest = written.dropFirst("before\n".utf8.count)
        #expect(rest.suffix("after\n".utf8.count) == Data("after\n".utf8), "\(script)")
        let between = rest.dropLast("after\n".utf8.count)
        if isSame { #expect(between == plain, "\(script)") } else { #expect(between.count > 10) }
      }
      for place in ["/dev/fd/3", "/proc/self/fd/3"] {
        let script = command.replacingOccurrences(of: "OUT", with: place)
        expect(
          try await run("exec 3>out; echo before >&3; \(script); echo after >&3", stage), script)
      }
      // A replay prints what the scan finds there.
      if command.contains("replay") { return }
      for place in command.contains("-- echo several") ? ["/dev/stdout"] : ["/dev/stdout", "-"] {
        let script = command.replacingOccurrences(of: "OUT", with: place)
        expect(try await run("(echo before; \(script); echo after) >>out", stage), script)
        expect(try await run("(echo before; \(script); echo after) | cat >out", stage), script)
      }
    }
  }

  @Test("What a dangling link leads to is written, whole, and the link stays", arguments: commands)
  func danglingLinks(command: String, isSame: Bool) async throws {
    guard !command.contains("make-sky") else { return }
    try await Stage.with { stage in
      try await prepareCommands(stage)
      let plain = try await run(command.replacingOccurrences(of: "OUT", with: "out"), stage)
      let script = command.replacingOccurrences(of: "OUT", with: "link")
      let written = try await run(
        "mkdir to; ln -s to/real link; \(script); test -L link; cp to/real out", stage)
      if isSame { #expect(written == plain) } else { #expect(written.count > 10) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.file("to")) == ["real"])
    }
  }

  @Test("A run that fails leaves a dangling link as it is")
  func failedRun() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let image = try Data(contentsOf: URL(fileURLWithPath: stage.file("a.fits")))
      try image.prefix(image.count / 2).write(to: URL(fileURLWithPath: stage.file("a.fits")))
      _ = try await run("ln -s real link; ! \(Self.sex) link; test -L link; test ! -e real", stage)
      let names = try FileManager.default.contentsOfDirectory(atPath: stage.file("."))
      #expect(!names.contains { $0.hasSuffix(".partial") }, "\(names)")
    }
  }

  @Test("A descriptor that is not open for writing is refused before the scan")
  func noDescriptor() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      for (place, shell) in [("/dev/fd/9", ""), ("/dev/stdin", "<a.param"), ("/dev/stdout", ">&-")]
      {
        let story = try await stage.launch(
          "/bin/sh",
          [
            "-c",
            #"cd "$1"; "$2" engage --no-discovery --image a.fits --catalog \#(place) \#(shell)"#,
            "sh", stage.file("."), Paths.binary,
          ]
        ).end()
        #expect(story.status == 2, "\(place): \(story.errors)")
        #expect(
          story.errors.last?.contains("\(place): cannot be written (Bad file") == true,
          "\(story.errors)")
      }
    }
  }
}
