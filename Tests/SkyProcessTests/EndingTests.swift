import Foundation
import ProgramHost
import SkyProcess
import Testing

@Suite("What a program leaves", .timeLimit(.minutes(20)))
struct EndingTests {
  @Test("Processes in the background end with the program, also those that left its session")
  func background() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let ending = try await stage.host.shell(
        beacon.script + "sleep 1000 & setsid sleep 1000 & (setsid sh -c 'sleep 1000; :' &) ; echo a"
      )
      #expect(ending.exitStatus == 0)
      #expect(ending.output == Data("a\n".utf8))
      #expect(ending.leftProcesses)
      #expect(beacon.isOut)
    }
  }

  @Test("What a program leaves to finish has a second for it")
  func finishing() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      // The first process has ended when nothing has its number any more.
      let ending = try await stage.host.shell(
        beacon.script + "(while kill -0 $$; do :; done; echo late) 2>/dev/null & exit 3")
      #expect(ending.exitStatus == 3)
      #expect(ending.output == Data("late\n".utf8))
      #expect(!ending.leftProcesses)
      #expect(beacon.isOut)
    }
  }

  @Test("A program is cancelled while what it has left has its second")
  func cancelled() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let started = stage.host.start(
        .shell(beacon.script + "(while kill -0 $$; do :; done; echo >&9; sleep 1000) & exit 0"))
      _ = try beacon.line()
      started.cancel()
      await #expect(throws: RunningHost.Failure("cancelled")) { try await started.ending }
      #expect(beacon.isOut)
    }
  }

  @Test("A process that ignores SIGTERM is killed, and one that obeys has time to")
  func stubborn() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let ending = try await stage.host.shell(
        beacon.script + """
          mkfifo ready; exec 8<>ready
          (trap '' TERM; echo >&8; while :; do sleep 1000; done) &
          (trap 'echo obeyed; exit' TERM; echo >&8; while :; do sleep 0.01; done) &
          read -r line <&8; read -r line <&8; exit 7
          """)
      #expect(ending.exitStatus == 7)
      #expect(ending.output == Data("obeyed\n".utf8))
      #expect(beacon.isOut)
    }
  }

  @Test("A stopped process is ended too")
  func stopped() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let ending = try await stage.host.shell(
        beacon.script + "sleep 1000 & kill -STOP $!; sleep 1000 & kill -STOP $!; exit 0")
      #expect(ending.exitStatus == 0)
      #expect(beacon.isOut)
    }
  }

  @Test("The end of a program that has stopped its keeper is noticed")
  func stoppedKeeper() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      for _ in 0..<3 {
        let ending = try await stage.host.shell(
          beacon.script + "sleep 1000 & kill -STOP $PPID; echo a; exit 3")
        #expect(ending.exitStatus == 3)
        #expect(ending.output == Data("a\n".utf8))
        #expect(beacon.isOut)
      }
    }
  }

  @Test("Processes that start another one and end, over and over, are caught")
  func comets() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      // Should one escape, it ends when the test removes the folder.
      let comet = try await stage.script(
        "comet", "#!/bin/sh\n[ -d '\(stage.temporary)' ] && setsid \"$0\" &\n")
      let ending = try await stage.host.shell(
        beacon.script + "trap '' TERM; for n in 1 2 3 4; do \(comet) & done; sleep 0.05; exit 0")
      #expect(ending.exitStatus == 0)
      #expect(beacon.isOut)
    }
  }

  @Test("Many processes that start each other are ended")
  func bomb() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      // Five levels of three each, of which none ends by itself.
      let bomb = try await stage.script(
        "bomb",
        "#!/bin/sh\ntrap '' TERM\n[ $1 = 0 ] || for n in 1 2 3; do \"$0\" $(($1 - 1)) & done\n"
          + "echo >&9\nwhile [ -d '\(stage.temporary)' ]; do sleep 1; done\n")
      let started = stage.host.start(.shell(beacon.script + "\(bomb) 4"))
      for _ in 0..<40 { _ = try beacon.line() }
      started.cancel()
      await #expect(throws: RunningHost.Failure("cancelled")) { try await started.ending }
      #expect(beacon.isOut)
      #expect(try await stage.host.shell("ls -A").output.isEmpty)
    }
  }

  @Test("A program that closes its outputs is waited for")
  func closed() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let go = stage.folder + "/go"
      try #require(mkfifo(go, 0o600) == 0)
      let started = stage.host.start(
        .shell(beacon.script + "echo a; exec >&- 2>&-; echo b >&9; read -r line <'\(go)'; exit 4"))
      _ = try beacon.line()
      let writing = try #require(FileHandle(forWritingAtPath: go))
      try writing.write(contentsOf: Data("\n".utf8))
      try writing.close()
      let ending = try await started.ending
      #expect(ending.exitStatus == 4)
      #expect(ending.output == Data("a\n".utf8))
    }
  }
}
