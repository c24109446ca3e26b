import Foundation
import ProgramHost
import SkyProcess
import Testing

@Suite("A program that cannot be run", .timeLimit(.minutes(20)))
struct FaultTests {
  private func expect(
    _ fault: ProgramFault, _ order: ProgramOrder, on stage: Stage,
    at location: SourceLocation = #_sourceLocation
  ) async {
    await #expect(throws: RunningHost.Failure("\(fault)"), sourceLocation: location) {
      try await stage.host.start(order).ending
    }
  }

  private func order(_ words: String..., directory: String? = nil) -> ProgramOrder {
    ProgramOrder(path: words[0], arguments: words, directory: directory, outputLimit: 100)
  }

  @Test("The error names what the system refused, and the next program runs")
  func refused() async throws {
    try await Stage.with { stage in
      let missing = stage.folder + "/missing"
      await expect(.notStarted(.program(missing), ENOENT), order(missing), on: stage)
      let plain = try await stage.script("plain", "echo no")
      // No shell is put in between.
      await expect(.notStarted(.program(plain), ENOEXEC), order(plain), on: stage)
      #expect(chmod(plain, 0o644) == 0)
      await expect(.notStarted(.program(plain), EACCES), order(plain), on: stage)
      let lost = try await stage.script("lost", "#!\(missing)\n")
      await expect(.notStarted(.program(lost), ENOENT), order(lost), on: stage)
      await expect(
        .notStarted(.directory(missing), ENOENT), order("/bin/true", directory: missing), on: stage)
      await expect(
        .notStarted(.directory(plain), ENOTDIR), order("/bin/true", directory: plain), on: stage)
      let next = try await stage.host.run("/bin/true")
      #expect(next.exitStatus == 0)
    }
  }

  @Test("Words that are too long for the system are refused, and those that are not arrive")
  func tooLong() async throws {
    try await Stage.with { stage in
      let long = String(repeating: "x", count: 100_000)
      let many = Array(repeating: long, count: 100)
      let fault = ProgramFault.notStarted(.program("/bin/echo"), E2BIG)
      await expect(fault, order("/bin/echo", long + long), on: stage)
      let order = ProgramOrder(
        path: "/bin/echo", arguments: ["echo"] + many, outputLimit: 100)
      await expect(fault, order, on: stage)
      let ending = try await stage.host.run("/bin/echo", long)
      #expect(ending.output == Data((long + "\n").utf8))
    }
  }

  private static let hasPrlimit = FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit")

  @Test(
    "A keeper that a program leaves without descriptors costs one run",
    .enabled(if: hasPrlimit, "needs prlimit"))
  func noDescriptors() async throws {
    try await Stage.with { stage in
      let limiting = try await stage.host.shell("prlimit --pid $PPID --nofile=4")
      #expect(limiting.exitStatus == 0)
      await expect(.keeperEnded, order("/bin/true"), on: stage)
      let next = try await stage.host.run("/bin/true")
      #expect(next.exitStatus == 0)
    }
  }

  @Test("A word that no program can be given is refused")
  func noWord() async throws {
    try await Stage.with { stage in
      await expect(.notAWord("a\0b"), order("/bin/echo", "a\0b"), on: stage)
      var order = order("/bin/echo")
      for (name, value) in [("", "x"), ("a=b", "x"), ("a", "\0")] {
        order.variables = [name: value]
        await expect(.notAWord("\(name)=\(value)"), order, on: stage)
      }
      let next = try await stage.host.run("/bin/true")
      #expect(next.exitStatus == 0)
    }
  }

  @Test("Every fault is told in one line, with a next step")
  func descriptions() {
    let faults: [ProgramFault] =
      [ENOENT, EACCES, ENOEXEC, E2BIG, EIO].map { .notStarted(.program("/p"), $0) } + [
        .notStarted(.directory("/d"), ENOENT), .notStarted(.process, EAGAIN), .notAWord("a\0\n"),
        .keeperEnded, .launcherEnded,
      ]
    for fault in faults {
      #expect(!"\(fault)".contains("\n"))
      #expect("\(fault)".contains(": ") || "\(fault)".contains(" "))
    }
  }
}
