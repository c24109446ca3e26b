import Foundation
import ProgramHost
import SkyProcess
import Testing

@Suite("Cancelling a program", .timeLimit(.minutes(20)))
struct CancellationTests {
  private static let cancelled = RunningHost.Failure("cancelled")

  @Test("A running program ends, with all that it started")
  func running() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let started = stage.host.start(
        .shell(beacon.script + "setsid sleep 1000 & echo started >&9; sleep 1000"))
      #expect(try beacon.line() == "started")
      started.cancel()
      await #expect(throws: Self.cancelled) { try await started.ending }
      #expect(beacon.isOut)
      #expect(try await stage.host.shell("echo a").output == Data("a\n".utf8))
    }
  }

  @Test("At any moment, a cancelled program is gone, and another one's result is its own")
  func anyMoment() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      for turn in 0..<100 {
        let started = stage.host.start(.shell(beacon.script + "sleep 0.00\(turn % 10)"))
        let other = stage.host.start(.shell("echo \(turn)"))
        started.cancel()
        do {
          let ending = try await started.ending
          #expect(ending.exitStatus == 0)
        } catch let failure as RunningHost.Failure {
          #expect(failure == Self.cancelled)
        }
        #expect(try await other.ending.output == Data("\(turn)\n".utf8))
      }
      #expect(try await stage.host.run("/bin/true").exitStatus == 0)
      #expect(descendants(of: stage.host.id).count <= 4)
    }
  }

  @Test("Cancelling one program leaves another one alone")
  func other() async throws {
    try await Stage.with { stage in
      let go = stage.folder + "/go"
      try #require(mkfifo(go, 0o600) == 0)
      let (first, second) = (try Beacon(in: stage.folder), try Beacon(in: stage.folder))
      let one = stage.host.start(.shell(first.script + "echo $SKYNET_SLOT >&9; sleep 1000"))
      let two = stage.host.start(
        .shell(second.script + "echo $SKYNET_SLOT >&9; read -r line <'\(go)'; echo $line"))
      let slots = [try first.line(), try second.line()]
      #expect(slots.sorted() == ["1", "2"])
      one.cancel()
      await #expect(throws: Self.cancelled) { try await one.ending }
      let writing = try #require(FileHandle(forWritingAtPath: go))
      try writing.write(contentsOf: Data("on\n".utf8))
      try writing.close()
      #expect(try await two.ending.output == Data("on\n".utf8))
    }
  }

  @Test("A program that stops its keeper can be cancelled, also one that does so over and over")
  func stoppedKeeper() async throws {
    try await Stage.with { stage in
      for script in ["kill -STOP $PPID", "(while :; do kill -STOP $PPID; done) &"] {
        let beacon = try Beacon(in: stage.folder)
        let started = stage.host.start(
          .shell(beacon.script + script + "\ntrap '' TERM; echo started >&9; sleep 1000"))
        #expect(try beacon.line() == "started")
        started.cancel()
        await #expect(throws: Self.cancelled) { try await started.ending }
        #expect(beacon.isOut)
        #expect(try await stage.host.shell("ls -A").output.isEmpty)
      }
    }
  }
}
