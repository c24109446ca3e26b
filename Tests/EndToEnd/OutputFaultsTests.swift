import Foundation
import SkyScan
import Testing

/// Places of outputs that lead to nothing, or to one place twice.
@Suite("Places of outputs that are none", .timeLimit(.ample))
struct OutputFaultsTests {
  /// Runs a script in a folder with the image `a.fits`, where `engage` and `sex` are commands of the program under test.
  private func run(_ script: String, _ stage: Stage) async throws -> RunningProcess.Story {
    let image = stage.file("a.fits")
    if !FileManager.default.fileExists(atPath: image) {
      try await SyntheticSky(width: 128, height: 128, starCount: 20).write(to: image)
    }
    let commands =
      #"sex() { "$SKYNET" sex "$@"; }; engage() { "$SKYNET" engage --no-discovery "$@"; }"#
    return try await stage.launch(
      "/bin/bash", ["-c", #"cd "$1"; \#(commands); eval "$2""#, "bash", stage.file("."), script],
      ["SKYNET": Paths.binary]
    ).end()
  }

  private static let night = "engage --image a.fits --summary s.csv --catalog"

  private static let faults: [(script: String, status: Int32, told: String)] = [
    (
      "ln -s nofolder of; \(night) 'of/{name}.csv'", 2,
      "of: the folder for outputs is a link to nofolder, which is not there; make that, or choose another one"
    ),
    (
      "ln -s l2 l1; ln -s l1 l2; \(night) 'l1/{name}.csv'", 2,
      "l1: the folder for outputs leads into a loop of links; choose another one"
    ),
    (
      "ln -s l2 l1.csv; ln -s l1.csv l2; engage --image a.fits --catalog l1.csv", 2,
      "l1.csv: leads into a loop of links; give another name"
    ),
    (
      "ln -s l2 l1; ln -s l1 l2; engage --total 1 -q --results l1", 2,
      "l1 leads into a loop of links; give another name"
    ),
    (
      "ln -s l2 l1; ln -s l1 l2; engage --total 1 -q --journal l1", 2,
      "it leads into a loop of links"
    ),
    (
      "engage --image a.fits --catalog /dev/stdout --results /dev/fd/3 3>&1 | cat; exit ${PIPESTATUS[0]}",
      64, "name the same file, /dev/stdout and /dev/fd/3: give each its own"
    ),
    (
      "engage --image a.fits --catalog - --results /dev/fd/3 3>&1 | cat; exit ${PIPESTATUS[0]}", 64,
      "would both write to standard output"
    ),
    (
      "mkfifo f.csv; exec 4<>f.csv 3>f.csv; engage --image a.fits --catalog f.csv --results /dev/fd/3",
      64,
      "name the same file"
    ),
    (
      "echo NUMBER >default.param; sex a.fits -FILTER N -CATALOG_NAME /dev/stdout -CHECKIMAGE_TYPE BACKGROUND -CHECKIMAGE_NAME /dev/fd/3 3>&1 | cat; exit ${PIPESTATUS[0]}",
      1, "/dev/fd/3"
    ),
    (
      "echo a.fits | engage --images - --catalog /dev/fd/1", 64,
      "give each a file, such as --catalog '{name}.csv'"
    ),
    (
      "engage --image a.fits --catalog /dev/full", 2, "make room there, or give another file's name"
    ),
  ]

  @Test("An output that cannot be is refused with a next step that helps", arguments: faults)
  func refused(script: String, status: Int32, told: String) async throws {
    try await Stage.with { stage in
      let story = try await run(script, stage)
      #expect(story.status == status, "\(script): \(story.errors)")
      #expect(story.errors.contains { $0.contains(told) }, "\(script): \(story.errors)")
    }
  }

  @Test("What several outputs may share is shared", arguments: ["/dev/null", "pipes"])
  func shared(place: String) async throws {
    try await Stage.with { stage in
      let outputs =
        place == "pipes"
        ? "--catalog >(cat >c) --results >(cat >r)" : "--catalog \(place) --results \(place)"
      let story = try await run("engage --image a.fits \(outputs)", stage)
      #expect(story.status == 0, "\(story.errors)")
    }
  }

  @Test("A journal is made where a dangling link leads, and found by it", arguments: [false, true])
  func journal(isFar: Bool) async throws {
    try await Stage.with { stage in
      let links = isFar ? "ln -s \"$PWD/jd/real\" mid; ln -s mid jl" : "ln -s jd/real jl"
      let command =
        "engage --total 4 --scan-seconds 0 --failing-every 0 --results /dev/null --journal jl"
      let story = try await run(
        "mkdir jd; \(links); \(command) && \(command) && test -L jl && ls jd", stage)
      #expect(story.status == 0 && story.output == ["real"], "\(story.output) \(story.errors)")
      #expect(story.errors.contains { $0.contains("4 of 4") }, "\(story.errors)")
      let none = try await run("rm -r jd; \(command)", stage)
      #expect(none.status == 2, "\(none.errors)")
    }
  }
}
