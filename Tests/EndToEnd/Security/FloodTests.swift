import Foundation
import Testing

extension Endurance {
  /// Thousands of connections whose clients send nothing, or too little to show membership.
  @Suite("Floods of unauthenticated connections", .timeLimit(.ample))
  struct FloodTests {
    /// How much slower the flood may make a run. A thorough test, which has the machine for itself,
    /// fails at twice the cost; other tests only print the ratio.
    private static let slowdown = 1.2
    private static let growth = 40 * 1024

    @Test(
      "A node serves its members during a flood of unauthenticated connections",
      .enabled(if: Flood.isPossible, "needs 1,300 open files: raise `ulimit -n`"))
    func aNodeServesItsMembersInAFlood() async throws {
      try await Stage.with { stage in
        let a = try await stage.node("a", "--slots", "4", "--log-level", "warning")
        let undisturbed = try await seconds(of: stage, a.port)
        let before = try #require(Memory.peak(of: a.process.id))
        let flood = Flood(port: a.port)
        defer { flood.stop() }
        try await flood.isFull()
        let time = try await seconds(of: stage, a.port)
        let counts = flood.counts
        let after = try #require(Memory.peak(of: a.process.id))
        Endurance.report(
          "flood",
          [
            "\(counts.opened) connections opened, \(counts.held) held at a time",
            "200 sectors in \(time) s, without the flood in \(undisturbed) s: "
              + "\((time / undisturbed).digits(2)) times (target \(Self.slowdown))",
            "the node's memory: \(Memory.text(before)), then \(Memory.text(after))",
          ])
        #expect(counts.opened > 1000 && counts.refused == 0)
        if isThorough { #expect(time < undisturbed * (1 + 2 * (Self.slowdown - 1)) + 1) }
        if !Memory.isInstrumented { #expect(after - before < Self.growth) }
        // The node logs the first few refusals, not each one.
        #expect(a.process.soFar.errors.count < 110)
      }
    }

    /// The time of an engagement by its own summary.
    private func seconds(of stage: Stage, _ port: Int) async throws -> Double {
      let run = try stage.engage(
        peers: [port], "--no-local", "--total", "200", "--scan-seconds", "0.1",
        "--failing-every", "0")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 200)
      return try outcome.summary.seconds
    }
  }
}

/// Holds a thousand unauthenticated connections, and opens two hundred new ones a second.
final class Flood: Sendable {
  struct Counts {
    var opened = 0
    var refused = 0
    var held = 0
  }

  private static let held = 1000

  /// Whether this process may open enough files; raises its limit as far as possible.
  static var isPossible: Bool {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return false }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(resource, &limit)
    return limit.rlim_cur >= rlim_t(held + 300)
  }

  /// The time between new connections, in microseconds. The test does not wait by it.
  private static let interval = useconds_t(1_000_000 / 200)

  private struct State {
    var counts = Counts()
    var isOver = false
  }

  private let state = AwaitedValue(State())

  init(port: Int) {
    let state = state
    Thread.detachNewThread {
      var sockets: [Int32] = []
      // Every second connection sends the beginning of a TLS record, and never the rest.
      let beginning = Data([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
      while !state.state.isOver {
        let socket = Self.connection(to: port)
        state.change { state in
          if socket == nil { state.counts.refused += 1 } else { state.counts.opened += 1 }
          state.counts.held = max(state.counts.held, sockets.count)
        }
        if let socket {
          sockets.append(socket)
          if sockets.count.isMultiple(of: 2) {
            _ = beginning.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, noSignal) }
          }
        }
        if sockets.count > Self.held { close(sockets.removeFirst()) }
        if sockets.count == Self.held { usleep(Self.interval) }
      }
      for socket in sockets { close(socket) }
    }
  }

  var counts: Counts { state.state.counts }

  /// Returns when the flood holds all its connections.
  func isFull() async throws {
    try await state.value(within: .ample) { state in
      state.counts.held >= Self.held ? .success(()) : nil
    }
  }

  func stop() { state.change { $0.isOver = true } }

  private static func connection(to port: Int) -> Int32? {
    guard let socket = try? makeSocket() else { return nil }
    var isConnected = false
    try? withAddress(port: port) { isConnected = connect(socket, $0, $1) == 0 }
    if isConnected { return socket }
    close(socket)
    return nil
  }
}
