import Foundation
import Testing

/// Processes whose output nobody takes.
@Suite("Stalled outputs", .serialized, .timeLimit(.ample))
struct StalledTests {
  /// What takes nothing more.
  enum Stall: CaseIterable { case pipe, terminal }

  @Test(
    "A run completes all of its sectors though nobody reads standard error",
    arguments: Stall.allCases)
  func anUnreadStandardErrorHoldsNothingUp(stall: Stall) async throws {
    try await Stage.with { stage in
      let stalled = try Stalled(stall)
      let results = stage.file("results")
      let run = try stage.launch(
        Paths.binary,
        [
          "engage", "--no-discovery", "--slots", "2", "--total", "20000", "--scan-seconds", "0",
          "--results", results,
        ], unread: (STDERR_FILENO, stalled.descriptor))
      #expect(try await run.end().status == 0)
      let lines = try String(contentsOfFile: results, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 20000)
    }
  }

  @Test(
    "A second signal ends a run whatever is blocked", arguments: Stall.allCases,
    [STDOUT_FILENO, STDERR_FILENO])
  func aSecondSignalEndsARun(stall: Stall, stream: Int32) async throws {
    try await Stage.with { stage in
      let stalled = try Stalled(stall)
      let events = stage.file("events")
      let run = try stage.launch(
        Paths.binary,
        [
          "engage", "--no-discovery", "--slots", "2", "--total", "1000000", "--scan-seconds", "0",
          "--json", "--events", events,
        ], unread: (stream, stalled.descriptor))
      // By then what was written is more than any pipe or terminal takes.
      _ = try await stage.follow(events).output { $0.count >= 4000 }
      try await run.endAtSecondSignal()
    }
  }

  @Test("A second signal ends a node whatever is blocked", arguments: Stall.allCases)
  func aSecondSignalEndsANode(stall: Stall) async throws {
    try await Stage.with { stage in
      let free = try await stage.node("free")
      free.process.send(SIGTERM)
      _ = try await free.process.end()
      let stalled = try Stalled(stall)
      let node = try stage.launch(
        Paths.binary,
        [
          "node", "--name", "a", "--host", "127.0.0.1", "--port", "\(free.port)", "--no-discovery",
        ], unread: (STDERR_FILENO, stalled.descriptor))
      let run = try stage.engage(
        peers: [free.port], "--no-local", "--total", "1000", "--scan-seconds", "600",
        "--failing-every", "2", "--seed", "6")
      // An attempt that failed at once shows that the node scans.
      try await run.process.line("re-run ")
      try await node.endAtSecondSignal()
    }
  }

  @Test(
    "A pipe at whose other end nobody is has a word, and the first signal ends the process",
    arguments: ["--results", "--events", "--catalog", "--picture", "--summary", "--config"])
  func pipesWithoutAReader(option: String) async throws {
    try await Stage.with { stage in
      let sky = stage.file("sky.fits")
      let made = try await stage.skynet("make-sky", sky, "--size", "512", "--stars", "60").end()
      try #require(made.status == 0)
      let pipe = stage.file("pipe.\(option == "--picture" ? "png" : "csv")")
      try #require(mkfifo(pipe, 0o600) == 0)
      // A table of all images is a night's.
      let name = option == "--summary" ? "{name}.csv" : "sources.csv"
      let catalogue = option == "--catalog" ? [] : ["--catalog", stage.file(name)]
      let run = try stage.skynet(
        ["engage", "--no-discovery", "--slots", "2", "--image", sky, option, pipe] + catalogue)
      try await run.line("waiting for the program at the other end of the pipe \(pipe)")
      try await run.endAtFirstSignal()
    }
  }

  @Test(
    "The first signal ends a command at whose pipe a reader takes nothing, with a word",
    arguments: ["sex", "engage"])
  func pipesWhoseReaderTakesNothing(command: String) async throws {
    try await Stage.with { stage in
      let sky = stage.file("sky.fits")
      let made = try await stage.skynet("make-sky", sky, "--size", "512", "--stars", "200").end()
      try #require(made.status == 0)
      let pipe = stage.file("pipe.csv")
      try #require(mkfifo(pipe, 0o600) == 0)
      let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(reader) }
      // Less than a catalogue: F_SETPIPE_SZ, which Glibc's Swift module leaves out.
      try #require(fcntl(reader, 1031, 4096) == 4096)
      let columns = stage.file("a.param")
      let names = "NUMBER X_IMAGE Y_IMAGE FLUX_AUTO FLUXERR_AUTO MAG_AUTO A_IMAGE B_IMAGE FLAGS"
      try Data(names.replacing(" ", with: "\n").utf8).write(to: URL(fileURLWithPath: columns))
      let settings = ["-VERBOSE_TYPE", "QUIET", "-FILTER", "N", "-PARAMETERS_NAME", columns]
      let run = try stage.skynet(
        command == "sex"
          ? ["sex", sky] + settings + ["-CATALOG_NAME", pipe]
          : ["engage", "--no-discovery", "--slots", "2", "--image", sky, "--catalog", pipe])
      try await run.line("waiting for the program at the other end of the pipe \(pipe)")
      run.send(SIGTERM)
      try await run.line("stopped while waiting for the program at the other end of the pipe")
      #expect(try await run.end().status == 143)
    }
  }
}

/// An output that takes nothing more, and that nobody reads.
private final class Stalled {
  let descriptor: Int32
  private let otherEnd: Int32

  init(_ stall: StalledTests.Stall) throws {
    switch stall {
    case .pipe:
      let pipe = Pipe()
      (otherEnd, descriptor) = (
        dup(pipe.fileHandleForReading.fileDescriptor), dup(pipe.fileHandleForWriting.fileDescriptor)
      )
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      let text = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
      while write(descriptor, text, text.count) > 0 {}
      _ = fcntl(descriptor, F_SETFL, 0)
    case .terminal:
      // Glibc's Swift module leaves posix_openpt(3) and its like out: these are their calls on Linux, TIOCSPTLCK and
      // TIOCGPTN.
      var (isLocked, number): (Int32, Int32) = (0, 0)
      otherEnd = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(
        ioctl(otherEnd, 0x4004_5431, &isLocked) == 0 && ioctl(otherEnd, 0x8004_5430, &number) == 0)
      descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // As Ctrl-S does.
      try #require(descriptor >= 0 && tcflow(descriptor, TCOOFF) == 0)
    }
  }

  deinit {
    close(descriptor)
    close(otherEnd)
  }
}

extension Stage {
  /// A process that prints a file's lines as they come.
  fileprivate func follow(_ file: String) throws -> RunningProcess {
    try launch("/usr/bin/tail", ["--lines=+1", "--retry", "--follow=name", file])
  }
}

extension RunningProcess {
  /// Sends two signals, and expects that the process ends by them. (It has a second for that, which a busy machine may
  /// stretch; a process that is blocked does not end at all.) One that has trapped no signal yet ends at the first.
  fileprivate func endAtSecondSignal(
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    send(SIGTERM)
    try await endAtFirstSignal(SIGINT, sourceLocation: sourceLocation)
  }

  /// Sends a signal, and expects that the process ends by it.
  fileprivate func endAtFirstSignal(
    _ signal: Int32 = SIGTERM, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    send(signal)
    let sent = ContinuousClock.now
    let status = try await end().status
    #expect([130, 143].contains(status), sourceLocation: sourceLocation)
    #expect(ContinuousClock.now - sent < .seconds(20), sourceLocation: sourceLocation)
  }
}
