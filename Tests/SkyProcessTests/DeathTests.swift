import Foundation
import ProgramHost
import SkyProcess
import Testing

/// Whatever process of the runner dies, no process of a program goes on.
@Suite("The death of a process above a program", .timeLimit(.minutes(20)))
struct DeathTests {
  private static let ended = RunningHost.Failure("\(ProgramFault.keeperEnded)")

  /// A program with a process that left its session and ignores SIGTERM. Its process numbers and
  /// its keeper's are in the line.
  private func start(_ stage: Stage, _ beacon: Beacon) throws -> (StartedProgram, keeper: pid_t) {
    let started = stage.host.start(
      .shell(
        beacon.script + "setsid sh -c 'trap \"\" TERM; sleep 1000; :' & echo $PPID >&9; sleep 1000")
    )
    return (started, try #require(pid_t(try beacon.line())))
  }

  /// The two processes between the host and the keepers, of which the first has made the second.
  private func above(_ stage: Stage) throws -> (guardian: pid_t, launcher: pid_t) {
    let guardian = try #require(children(of: stage.host.id).first)
    return (guardian, try #require(children(of: guardian).first))
  }

  @Test("A program that kills its keeper ends, its folder is removed, and others go on")
  func keeper() async throws {
    try await Stage.with { stage in
      let (one, two) = (try Beacon(in: stage.folder), try Beacon(in: stage.folder))
      let (other, _) = try start(stage, two)
      await #expect(throws: Self.ended) {
        try await stage.host.shell(
          one.script + "setsid sleep 1000 & touch file; kill -9 $PPID; sleep 1000")
      }
      #expect(one.isOut)
      #expect(!two.isOut)
      #expect(stage.folders == ["1"])
      #expect(try await stage.host.shell("echo $SKYNET_SLOT").output == Data("2\n".utf8))
      other.cancel()
      await #expect(throws: RunningHost.Failure("cancelled")) { try await other.ending }
    }
  }

  @Test("A keeper that is killed between two programs costs no program")
  func idleKeeper() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      #expect(try await stage.host.run("/bin/true").exitStatus == 0)
      let launcher = try above(stage).launcher
      for _ in 0..<3 {
        let line = try await stage.host.shell(beacon.script + "echo $PPID").output
        let keeper = try #require(pid_t(String(decoding: line.dropLast(), as: UTF8.self)))
        let count = try openFiles(launcher)
        #expect(kill(keeper, SIGKILL) == 0)
        // The launcher has reported it when it has closed its copy of the keeper's socket.
        while try openFiles(launcher) >= count { sched_yield() }
      }
      #expect(try await stage.host.run("/bin/true").exitStatus == 0)
    }
  }

  @Test("When the launcher is killed, all programs end, and another one runs others")
  func launcher() async throws {
    try await Stage.with { stage in
      for _ in 0..<2 {
        let beacon = try Beacon(in: stage.folder)
        let (started, _) = try start(stage, beacon)
        #expect(kill(try above(stage).launcher, SIGKILL) == 0)
        await #expect(throws: Self.ended) { try await started.ending }
        #expect(beacon.isOut)
        #expect(try await stage.host.shell("echo $SKYNET_SLOT; ls -A").output == Data("1\n".utf8))
      }
      try await stage.host.endRunner()
      #expect(descendants(of: stage.host.id) == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.temporary) == [])
    }
  }

  @Test("When the launcher is killed with a keeper, nothing of the keeper's program is left")
  func launcherAndKeeper() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let (started, keeper) = try start(stage, beacon)
      let launcher = try above(stage).launcher
      // The launcher must not tell of the keeper before.
      for (process, signal) in [(launcher, SIGSTOP), (keeper, SIGKILL), (launcher, SIGKILL)] {
        #expect(kill(process, signal) == 0)
      }
      await #expect(throws: Self.ended) { try await started.ending }
      try beacon.goesOut()
      #expect(try await stage.host.run("/bin/true").exitStatus == 0)
      #expect(stage.folders == ["1"])
    }
  }

  @Test("A program that is ended with the launcher has not succeeded, whatever it says")
  func noSuccess() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let started = stage.host.start(
        .shell(
          beacon.script + "trap 'exit 0' TERM; echo a half; echo ready >&9; sleep 1000 & wait"))
      _ = try beacon.line()
      #expect(kill(try above(stage).launcher, SIGKILL) == 0)
      await #expect(throws: Self.ended) { try await started.ending }
    }
  }

  @Test("A guardian that is killed costs nothing, and with the launcher no other program is run")
  func guardian() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let (started, _) = try start(stage, beacon)
      let (guardian, launcher) = try above(stage)
      #expect(kill(guardian, SIGKILL) == 0)
      #expect(try await stage.host.run("/bin/true").exitStatus == 0)
      #expect(!beacon.isOut)
      #expect(kill(launcher, SIGKILL) == 0)
      let over = RunningHost.Failure("\(ProgramFault.launcherEnded)")
      await #expect(throws: over) { try await started.ending }
      try beacon.goesOut()
      await #expect(throws: over) { try await stage.host.run("/bin/true") }
      try await stage.host.endRunner()
      while try FileManager.default.contentsOfDirectory(atPath: stage.temporary) != [] {
        sched_yield()
      }
    }
  }

  @Test("A launcher that is stopped goes on")
  func stoppedLauncher() async throws {
    try await Stage.with { stage in
      #expect(try await stage.host.run("/bin/true").exitStatus == 0)
      #expect(kill(try above(stage).launcher, SIGSTOP) == 0)
      let beacon = try Beacon(in: stage.folder)
      let (started, _) = try start(stage, beacon)
      // Another keeper has to be made.
      #expect(try await stage.host.run("/bin/true").exitStatus == 0)
      started.cancel()
      await #expect(throws: RunningHost.Failure("cancelled")) { try await started.ending }
    }
  }

  @Test("A runner that is ended leaves nothing, whatever of it was stopped")
  func stopped() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let (_, keeper) = try start(stage, beacon)
      let (guardian, launcher) = try above(stage)
      for process in [guardian, launcher, keeper] { #expect(kill(process, SIGSTOP) == 0) }
      try await stage.host.endRunner()
      #expect(beacon.isOut)
      #expect(descendants(of: stage.host.id) == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.temporary) == [])
    }
  }

  @Test(
    "When the process that runs programs is killed, all of them end, and so does what ran them",
    arguments: [false, true])
  func host(isLauncherStopped: Bool) async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let (started, _) = try start(stage, beacon)
      let (guardian, launcher) = try above(stage)
      stage.host.kill()
      if isLauncherStopped { kill(launcher, SIGSTOP) }
      await #expect(throws: RunningHost.Failure("the host has ended")) { try await started.ending }
      try beacon.goesOut()
      while kill(guardian, 0) == 0, !isZombie(guardian) { sched_yield() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.temporary) == [])
    }
  }

  @Test("A runner that is ended ends its programs first")
  func end() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let (started, _) = try start(stage, beacon)
      try await stage.host.endRunner()
      #expect(beacon.isOut)
      let ended = RunningHost.Failure("\(ProgramFault.launcherEnded)")
      await #expect(throws: ended) { try await started.ending }
      #expect(descendants(of: stage.host.id) == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.temporary) == [])
    }
  }

  /// Whether nobody has asked for the process's exit status yet, as a test in a container may find.
  private func isZombie(_ process: pid_t) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.hasPrefix(" Z") ?? true
  }
}
