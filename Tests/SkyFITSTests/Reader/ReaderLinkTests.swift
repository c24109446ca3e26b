import Foundation
import SkyDetection
import SkyProcess
import SkyTestSupport
import Testing

@testable import SkyFITS

/// A reader that hangs, is stopped or is killed: the request ends, the error tells what happened,
/// and the reader's process is gone.
@Suite("A reader that fails", .timeLimit(.minutes(20)))
struct ReaderLinkTests {
  private static let request = ReaderRequest.probeSandbox(file: "/nowhere")

  private func ending(
    of reader: StandInReader, _ limits: ReaderLimits = ReaderLimits(),
    asking request: ReaderRequest = ReaderLinkTests.request
  ) throws -> ReaderEnding {
    var link = ReaderLink(pid: reader.pid, socket: reader.socket, limits: limits)
    let ending = try #require(throws: ReaderEnding.self) { try link.ask(request, [], 1) }
    // Later requests throw the same error at once.
    #expect(throws: ending) { try link.ask(request, [], 1) }
    #expect(reader.isReaped)
    return ending
  }

  @Test(
    "A reader that does not answer is ended",
    arguments: [false, true])
  func silent(isReady: Bool) throws {
    let reader = try StandInReader("/bin/sleep", "1000", isReady: isReady)
    defer { close(reader.childEnd) }
    let ending = try ending(of: reader, ReaderLimits(patience: 0.3))
    #expect(ending == .silent)
    let error = ending.error(path: "a.fits")
    #expect(error.code == .readerEnded)
    #expect(
      error.description.hasPrefix("a.fits: its reader did not answer in time: it was stopped"))
    #expect(error.nextStep.contains("run the command again"))
  }

  @Test("A reader that is stopped is ended")
  func stopped() throws {
    let reader = try StandInReader("/bin/sleep", "1000")
    defer { close(reader.childEnd) }
    kill(reader.pid, SIGSTOP)
    #expect(try ending(of: reader, ReaderLimits(patience: 0.3)) == .silent)
  }

  /// The request is longer than a socket's buffer.
  @Test("A reader that accepts no request is ended")
  func takesNothing() throws {
    let reader = try StandInReader("/bin/sleep", "1000")
    defer { close(reader.childEnd) }
    var patience = timeval(tv_sec: 0, tv_usec: 200_000)
    setsockopt(
      reader.socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let places = [PixelPosition](repeating: PixelPosition(x: 1, y: 1), count: 100_000)
    #expect(try ending(of: reader, asking: .sky(image: 1, places)) == .silent)
  }

  @Test("A reader in an endless loop is ended")
  func endlessLoop() throws {
    let reader = try StandInReader("/bin/sh", "-c", "while :; do :; done")
    defer { close(reader.childEnd) }
    let ending = try ending(of: reader, ReaderLimits(processing: 0.2, patience: 240))
    #expect(ending == .outOfTime)
    #expect(ending.error(path: "a.fits").fault.contains("it took too long"))
  }

  @Test("A reader that is killed during a request is reported")
  func killed() throws {
    let reader = try StandInReader("/bin/sleep", "1000")
    reader.onRequest { reader in
      // The test's copy of the socket is the last one.
      close(reader.childEnd)
      kill(reader.pid, SIGKILL)
    }
    let ending = try ending(of: reader)
    #expect(ending == .signal(SIGKILL))
    let error = ending.error(path: "a.fits")
    #expect(error.description.hasPrefix("a.fits: its reader was killed from outside; see whether"))
  }

  @Test("A reader that exits is reported")
  func exits() throws {
    let reader = try StandInReader("/bin/true")
    close(reader.childEnd)
    let ending = try ending(of: reader)
    #expect(ending == .closed)
    #expect(ending.error(path: "a.fits").fault.contains("it ended by itself"))
  }

  @Test("A reader that sends an impossible answer is ended")
  func impossibleAnswer() throws {
    let reader = try StandInReader("/bin/sleep", "1000")
    reader.onRequest { reader in
      try? ProcessSocket(socket: reader.childEnd).send(Data([99]))
    }
    defer { close(reader.childEnd) }
    guard case .impossibleAnswer = try ending(of: reader) else { throw InvalidScan("not refused") }
  }
}
