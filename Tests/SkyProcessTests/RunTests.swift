import Foundation
import ProgramHost
import SkyProcess
import Testing

@Suite("Running a program", .timeLimit(.minutes(20)))
struct RunTests {
  private static func text(_ bytes: Data) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("A program's output, its last errors and its status come back")
  func ending() async throws {
    try await Stage.with { stage in
      let ending = try await stage.host.shell("printf 'a\\nb\\0'; echo no >&2; exit 3")
      #expect(ending.output == Data("a\nb\0".utf8))
      #expect(ending.errors == Data("no\n".utf8))
      #expect(ending.exitStatus == 3)
      #expect(!ending.isTooLong)
      let killed = try await stage.host.shell("kill -SEGV $$")
      #expect(killed.signal == SIGSEGV)
      #expect(killed.exitStatus == nil)
    }
  }

  @Test("Any words arrive as they are")
  func words() async throws {
    try await Stage.with { stage in
      let words = ["-n", "a b", "line\nfeed", "", "*", "$(id)", "ü\u{301}", "--", "\\0"]
      let ending = try await stage.host.shell("printf '%s|' \"$@\"", words[0], words[1], words[2])
      #expect(Self.text(ending.output) == "-n|a b|line\nfeed|")
      let order = ProgramOrder.shell("printf '%s|' \"$@\"", words)
      let all = try await stage.host.start(order).ending
      #expect(Self.text(all.output) == words.map { $0 + "|" }.joined())
    }
  }

  @Test(
    "A program gets this process's variables but SkyNet's own, those of its order, and its slot")
  func variables() async throws {
    let own = ["SKYNET_KEY": "secret", "OTHER": "old", "KEPT": "a=b\nc"]
    try await Stage.with(environment: own) { stage in
      let ending = try await stage.host.run(
        "/usr/bin/env", "-0", variables: ["OTHER": "new", "SKYNET_RUN": "r"])
      let lines = ending.output.split(separator: 0).map { Self.text(Data($0)) }
      let ours = lines.filter {
        $0.hasPrefix("SKYNET_") || $0.hasPrefix("OTHER=") || $0.hasPrefix("KEPT=")
      }
      #expect(ours.sorted() == ["KEPT=a=b\nc", "OTHER=new", "SKYNET_RUN=r", "SKYNET_SLOT=1"])
    }
  }

  @Test("No process of the runner keeps SkyNet's own variables")
  func forgotten() async throws {
    try await Stage.with(environment: ["SKYNET_KEY": "a secret word"]) { stage in
      let ending = try await stage.host.shell("cat /proc/$PPID/environ; cat /proc/self/environ")
      #expect(ending.exitStatus == 0)
      #expect(!Self.text(ending.output).contains("a secret word"))
    }
  }

  @Test("A program has a session of its own, three descriptors, and gains no privileges")
  func confinement() async throws {
    try await Stage.with { stage in
      let ending = try await stage.host.shell(
        "ls /proc/$$/fd; set -- $(cat /proc/$$/stat); test $$ = $6 && test $7 = 0 && echo session;"
          + " grep NoNewPrivs /proc/self/status; trap")
      #expect(
        Self.text(ending.output).split(whereSeparator: \.isWhitespace)
          == ["0", "1", "2", "session", "NoNewPrivs:", "1"])
    }
  }

  @Test("Input that is longer than a pipe arrives, and without input there is nothing to read")
  func input() async throws {
    try await Stage.with { stage in
      let input = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
      let ending = try await stage.host.run("/bin/cat", input: input, outputLimit: input.count)
      #expect(ending.output == input)
      #expect(!ending.isTooLong)
      #expect(try await stage.host.run("/bin/cat", input: Data()).output.isEmpty)
      #expect(try await stage.host.run("/bin/cat").output.isEmpty)
    }
  }

  @Test("A program runs in its folder, or in an empty one of its own that is gone afterwards")
  func folders() async throws {
    try await Stage.with { stage in
      let given = try await stage.host.run("/bin/pwd", directory: "/usr")
      #expect(Self.text(given.output) == "/usr\n")
      let order =
        "pwd; ls -A; mkdir -p a/b/c 'line\nfeed'; echo > a/b/x; ln -s / link; mkfifo p;"
        + " printf x > \"$(printf 'bad\\377name')\"; chmod 0 a/b/c a .; true"
      let first = try await stage.host.shell(order)
      let second = try await stage.host.shell(order)
      #expect(Self.text(first.output).split(separator: "\n").count == 1)
      #expect(first.output == second.output)
      #expect(Self.text(first.output).hasPrefix(stage.temporary + "/skynet-"))
      // A folder that was left as it was stays for the next program.
      let third = try await stage.host.shell("rm -r ../*")
      #expect(third.exitStatus == 0)
      #expect(try await stage.host.shell("ls -A").output.isEmpty)
      try await stage.host.endRunner()
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.temporary) == [])
    }
  }

  @Test("A folder of any depth is removed")
  func depth() async throws {
    try await Stage.with { stage in
      // Each turn puts what is there into another folder, until no path is long enough for it.
      let name = String(repeating: "d", count: 200)
      let ending = try await stage.host.shell(
        "mkdir \(name); for n in 1 2 3 4 5; do for m in 1 2 3 4 5; do"
          + " mkdir next && mv \(name) next && touch next/file && mv next \(name) || exit 1;"
          + " done; done")
      #expect(ending.exitStatus == 0)
      #expect(try await stage.host.shell("ls -A").output.isEmpty)
    }
  }

  @Test("Output up to the limit is whole, and more ends the program")
  func limit() async throws {
    try await Stage.with { stage in
      let whole = try await stage.host.shell("head -c 100000 /dev/zero", outputLimit: 100_000)
      #expect(whole.output.count == 100_000)
      #expect(!whole.isTooLong)
      let long = try await stage.host.shell("head -c 100001 /dev/zero", outputLimit: 100_000)
      #expect(long.output.count == 100_000)
      #expect(long.isTooLong)
      let endless = try await stage.host.shell(
        "trap '' TERM PIPE; while :; do echo y; done", outputLimit: 10_000)
      #expect(endless.isTooLong)
      #expect(endless.signal == SIGKILL)
    }
  }

  private static let hasPerl = FileManager.default.isExecutableFile(atPath: "/usr/bin/perl")

  @Test(
    "All is read that a program has written, however late and in however many parts",
    .enabled(if: hasPerl, "needs perl"))
  func late() async throws {
    try await Stage.with { stage in
      let beacon = try Beacon(in: stage.folder)
      let go = stage.folder + "/go"
      try #require(mkfifo(go, 0o600) == 0)
      // The pipe has room for 256 parts (F_SETPIPE_SZ), and each is read alone.
      let script = """
        use Fcntl; fcntl STDOUT, 1031, 1 << 20 or die $!; fcntl STDOUT, F_SETFL, O_WRONLY | O_DIRECT or die $!;
        open B, ">&=9"; syswrite B, getppid . "\n"; open G, "<", $ARGV[0]; <G>;
        syswrite STDOUT, "x" for 1..250
        """
      let started = stage.host.start(
        .shell(beacon.script + "exec perl -e \"$1\" \"$2\"", [script, go]))
      let keeper = try #require(pid_t(try beacon.line()))
      let count = try openFiles(keeper)
      #expect(kill(stage.host.id, SIGSTOP) == 0)
      let writing = try #require(FileHandle(forWritingAtPath: go))
      try writing.write(contentsOf: Data("\n".utf8))
      try writing.close()
      // The keeper closes the pipes after its report.
      while try openFiles(keeper) >= count { sched_yield() }
      #expect(kill(stage.host.id, SIGCONT) == 0)
      #expect(try await started.ending.output.count == 250)
    }
  }

  @Test("Of the errors the last are kept, and no flood of them holds the program up")
  func errors() async throws {
    try await Stage.with { stage in
      let ending = try await stage.host.shell("head -c 20000000 /dev/zero >&2; echo end >&2")
      #expect(ending.exitStatus == 0)
      #expect(ending.errors.count == ProgramEnding.errorsLimit)
      #expect(ending.errors.suffix(5) == Data("\0end\n".utf8))
    }
  }
}
