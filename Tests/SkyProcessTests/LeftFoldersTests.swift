import Foundation
import ProgramHost
import TestSupport
import Testing

@testable import SkyProcess

/// What is left in the folder for temporary files when all processes of a runner are killed.
@Suite("Folders that killed processes left", .timeLimit(.minutes(20)))
struct LeftFoldersTests {
  /// Runs a program that leaves something behind, and kills all processes of its runner at once.
  private func leave(_ stage: Stage) async throws {
    let beacon = try Beacon(in: stage.folder)
    let host = try RunningHost(temporaryFolder: stage.temporary)
    defer { host.close() }
    let started = host.start(
      .shell(beacon.script + "mkdir -p a/b; touch a/b/file; chmod 0 a; echo >&9; exec sleep 1000"))
    _ = try beacon.line()
    let all = [host.id] + descendants(of: host.id)
    for process in all { kill(process, SIGSTOP) }
    for process in all { kill(process, SIGKILL) }
    try beacon.goesOut()
    await #expect(throws: (any Error).self) { try await started.ending }
  }

  private func names(_ stage: Stage) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: stage.temporary)
  }

  @Test("The next runner removes them, and leaves those alone whose runner lives")
  func removed() async throws {
    try await Stage.with { stage in
      #expect(try await stage.host.run("/bin/true").exitStatus == 0)
      let own = try names(stage)
      try #require(own.count == 1)
      try await leave(stage)
      #expect(try names(stage).count == 2)
      let next = try RunningHost(temporaryFolder: stage.temporary)
      defer { next.close() }
      // It ends when all is removed.
      try await next.endRunner()
      #expect(try names(stage) == own)
      #expect(try await stage.host.shell("pwd").exitStatus == 0)
      try await stage.host.endRunner()
      #expect(try names(stage) == [])
    }
  }

  @Test(
    "Of two runners that begin at once none removes the other's folder, and together they remove what is left"
  )
  func atOnce() async throws {
    try await Stage.with { stage in
      for _ in 0..<3 { try await leave(stage) }
      let hosts = try (0..<4).map { _ in try RunningHost(temporaryFolder: stage.temporary) }
      defer { for host in hosts { host.close() } }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for host in hosts {
          group.addTask {
            for _ in 0..<20 {
              let ending = try await host.shell("touch file; ls -A; cd ../..; rm -rf ./*")
              #expect(ending.exitStatus == 0 && ending.output == Data("file\n".utf8))
            }
          }
        }
        try await group.waitForAll()
      }
      for host in hosts { try await host.endRunner() }
      try await stage.host.endRunner()
      #expect(try names(stage) == [])
    }
  }

  @Test("What belongs to another account or another machine is left alone")
  func others() async throws {
    try await Stage.with { stage in
      let others = ["skynet-0000-a", "skynet-a", "other"]
      for name in others {
        try FileManager.default.createDirectory(
          atPath: "\(stage.temporary)/\(name)/1/1", withIntermediateDirectories: true)
      }
      let foreign = "\(LeftFolders.prefix)foreign"
      if geteuid() == 0 {
        try FileManager.default.createDirectory(
          atPath: "\(stage.temporary)/\(foreign)", withIntermediateDirectories: true)
        try #require(chown("\(stage.temporary)/\(foreign)", 65534, 65534) == 0)
      }
      let next = try RunningHost(temporaryFolder: stage.temporary)
      defer { next.close() }
      try await next.endRunner()
      #expect(try names(stage).sorted() == (others + (geteuid() == 0 ? [foreign] : [])).sorted())
    }
  }
}
