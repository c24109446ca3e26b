import Foundation
import ProgramHost
import SkyProcess
import Testing

/// What a program does to its own folder, and to those above it, costs no other program.
@Suite("The folders of programs", .timeLimit(.minutes(20)))
struct FolderTests {
  /// Runs a script, which succeeds, then another program, whose folder has to be empty and to belong to it, and ends
  /// the runner.
  ///
  /// - Returns: what the script has written.
  private func check(_ script: String, _ stage: Stage) async throws -> String {
    let ending = try await stage.host.shell(script)
    #expect(ending.exitStatus == 0, "\(String(decoding: ending.errors, as: UTF8.self))")
    for _ in 0..<2 {
      let next = try await stage.host.shell("ls -A; echo >file && stat -c %a .")
      #expect(next.output == Data("700\n".utf8))
    }
    return String(decoding: ending.output, as: UTF8.self)
  }

  @Test(
    "Folders that are removed, closed, moved or replaced are there again, and none is left",
    arguments: [
      #"rm -r "$TMPDIR""#,
      #"chmod 0 . .. ../.."#,
      #"mkdir ../more; mv "$PWD" ../other"#,
      #"mkdir -p ../../more/folders; touch ../../file; mv "$PWD" ../../other"#,
      #"rm -r ../../*; mkdir "${PWD%/*}"; touch "$PWD""#,
      #"cd /; rm -r "$OLDPWD"; ln -s /usr "$OLDPWD""#,
      #"cd ..; own=$PWD; cd /; rm -r "$own"; ln -s /usr "$own""#,
      #"cd ../..; all=$PWD; cd /; rm -r "$all"; ln -s /usr "$all""#,
    ])
  func changed(script: String) async throws {
    try await Stage.with { stage in
      _ = try await check(script, stage)
      #expect(stage.folders == ["1"] || script.contains("../../"))
      try await stage.host.endRunner()
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.temporary) == [])
    }
  }

  private static let canMakeImmutable = succeeds(
    "f=$(mktemp); trap 'rm $f' EXIT; chattr +i $f 2>/dev/null; chattr -i $f")

  @Test(
    "What cannot be removed stays, and the next program has another folder",
    .enabled(if: canMakeImmutable, "needs root, and a file system with immutable files"))
  func immutable() async throws {
    try await Stage.with { stage in
      defer { _ = succeeds("chattr -R -i '\(stage.temporary)'") }
      let path = try await check("touch file; chattr +i file .; pwd", stage).dropLast()
      // Another keeper finds the file, too.
      await #expect(throws: RunningHost.Failure("\(ProgramFault.keeperEnded)")) {
        try await stage.host.shell("kill -9 $PPID")
      }
      _ = try await check("true", stage)
      try await stage.host.endRunner()
      let left = try FileManager.default.subpathsOfDirectory(atPath: stage.temporary)
      #expect(left.count == 4 && FileManager.default.fileExists(atPath: path + "/file"), "\(left)")
    }
  }

  private static let canMount = succeeds(
    "d=$(mktemp -d); trap 'rmdir $d' EXIT; mount -t tmpfs none $d 2>/dev/null; umount $d")

  @Test(
    "What a program has mounted stays, with all that is in it",
    .enabled(if: canMount, "needs root, and leave to mount"))
  func mounted() async throws {
    try await Stage.with { stage in
      let precious = stage.folder + "/precious"
      try FileManager.default.createDirectory(atPath: precious, withIntermediateDirectories: true)
      try Data("a".utf8).write(to: URL(fileURLWithPath: precious + "/file"))
      defer {
        _ = succeeds(
          "while read -r _ place _; do case $place in '\(stage.temporary)'/*) umount -l $place;; esac;"
            + " done </proc/mounts")
      }
      for place in ["inner/mount", "mount", "."] {
        let script = "mkdir -p \(place) && mount --bind '\(precious)' \(place)"
        _ = try await check(script, stage)
      }
      try await stage.host.endRunner()
      #expect(FileManager.default.fileExists(atPath: precious + "/file"))
    }
  }

  @Test(
    "Where another account has taken the folders' name, they get another one, and its own stays as it is",
    .enabled(if: geteuid() == 0, "needs root to be two accounts"))
  func squatted() async throws {
    try await Stage.with { stage in
      try #require(chmod(stage.temporary, 0o1777) == 0)
      let find = #"parent=${PWD%/*/*}; cd /; echo "$parent""#
      let removed = try await stage.host.shell("\(find); rm -r \"$parent\"")
      let name = try #require(String(bytes: removed.output, encoding: .utf8)).dropLast()
      let taken = "\(name)/1/1"
      try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
      for folder in [taken, "\(name)/1", String(name)] {
        try #require(chmod(folder, 0o777) == 0 && chown(folder, 65534, 65534) == 0)
      }
      for _ in 0..<2 {
        let next = try await stage.host.shell("stat -c %a:%u . ..; ls -A; echo >file; \(find)")
        let lines = try #require(String(bytes: next.output, encoding: .utf8)).split(separator: "\n")
        #expect(lines.prefix(2) == ["700:0", "700:0"])
        #expect(lines.count == 3 && lines[2] != name && lines[2].hasPrefix("\(name)-"), "\(lines)")
      }
      // A keeper that is killed clears nothing away itself.
      await #expect(throws: RunningHost.Failure("\(ProgramFault.keeperEnded)")) {
        try await stage.host.shell("echo >file; kill -9 $PPID")
      }
      try await stage.host.endRunner()
      let left = try FileManager.default.subpathsOfDirectory(atPath: stage.temporary)
      let own = String(name.dropFirst(stage.temporary.count + 1))
      #expect(left.sorted() == [own, "\(own)/1", "\(own)/1/1"])
    }
  }

  @Test("A folder that cannot be made is named with the system's reason, until it can")
  func refused() async throws {
    try await Stage.with { stage in
      let ending = try await stage.host.shell(#"rm -r "$TMPDIR"; echo >"$TMPDIR""#)
      #expect(ending.exitStatus == 0)
      let failure = await #expect(throws: RunningHost.Failure.self) {
        try await stage.host.run("/bin/true")
      }
      let text = try #require(failure).description
      #expect(text.hasPrefix("the program cannot run in the folder \(stage.temporary)/skynet-"))
      #expect(text.contains("(Not a directory)"))
      try FileManager.default.removeItem(atPath: stage.temporary)
      #expect(try await stage.host.run("/bin/true").exitStatus == 0)
    }
  }
}
