import Foundation
import ProgramHost
import SkyProcess
import TestSupport
import Testing

/// Whatever process of the runner dies, no process of a program goes on.
@Suite("The death of a process above a program", .timeLimit(.minutes(20)), .ownThreads)
struct DeathTests {
  /// A program with a process that left its session and ignores SIGTERM. Its process numbers and
  /// its keeper's are in the line.
  private func start(_ stage: Stage, _ beacon: Beacon) throws -> (StartedProgram, keeper: pid_t) {
    let started = stage.host.start(
      .shell(
        beacon.script + "setsid sh -c 'trap \"\" TERM; sleep 1000; :' & echo $PPID >&9; sleep 1000")
    )
    return (started, try #require(pid_t(try beacon.line())))
  }

  private func launcher(_ stage: Stage) throws -> pid_t {
    let text = try String(
      contentsOfFile: "/proc/\(stage.host.id)/task/\(stage.host.id)/children", encoding: .utf8)
    return try #require(pid_t(text.split(separator: " ").first ?? ""))
  }

  @Test("A program that kills its keeper ends, its folder is removed, and others go on")
  func keeper() async throws {
    try await Stage.with { stage in
      let (one, two) = (try Beacon(in: stage.folder), try Beacon(in: stage.folder))
      let (other, _) = try start(stage, two)
      await #expect(throws: RunningHost.Failure("\(ProgramFault.keeperEnded)")) {
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
      let launcher = try launcher(stage)
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

  @Test("When the launcher is killed, all programs end, and no other one is run")
  func launcher() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let (started, _) = try start(stage, beacon)
      #expect(kill(try launcher(stage), SIGKILL) == 0)
      let ended = RunningHost.Failure("\(ProgramFault.launcherEnded)")
      await #expect(throws: ended) { try await started.ending }
      #expect(beacon.isOut)
      await #expect(throws: ended) { try await stage.host.run("/bin/true") }
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.temporary) == [])
    }
  }

  @Test("When the process that runs programs is killed, all of them end, and so does the launcher")
  func host() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let (started, _) = try start(stage, beacon)
      let launcher = try launcher(stage)
      stage.host.kill()
      await #expect(throws: RunningHost.Failure("the host has ended")) { try await started.ending }
      try beacon.goesOut()
      while kill(launcher, 0) == 0, !isZombie(launcher) { sched_yield() }
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

  private func openFiles(_ process: pid_t) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
  }

  /// Whether nobody has asked for the process's exit status yet, as a test in a container may find.
  private func isZombie(_ process: pid_t) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.hasPrefix(" Z") ?? true
  }
}
