import ServiceLifecycleTestKit
import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Synchronization
import Testing

/// An input that knows how many of its like are in memory.
private final class Token: Codable, Sendable {
  static let alive = Atomic<Int>(0)

  let number: Int

  init(_ number: Int) {
    self.number = number
    Self.alive.add(1, ordering: .relaxed)
  }

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
    Self.alive.add(1, ordering: .relaxed)
  }

  deinit { Self.alive.subtract(1, ordering: .relaxed) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

/// Doubles a token's number, behind the gate.
private struct Doubles: Scan {
  static let kind = ScanKind(name: "doubles", version: 1)

  var gate: Gate?

  func run(_ token: Token, settings: NoSettings) async throws -> Int {
    try await gate?.pass()
    return 2 * token.number
  }
}

/// A sequence of tokens, which counts how many were taken.
private struct Tokens: AsyncSequence, Sendable {
  struct Broken: Error {}

  /// What comes after the last token.
  enum End { case end, error, never }

  let count: Int
  var end = End.end
  let taken = Watched(0)
  /// How many iterations have begun to wait for ever, and how many were cancelled in that.
  let waiting = Watched(0)
  let cancelled = Watched(0)

  struct Iterator: AsyncIteratorProtocol {
    let tokens: Tokens
    var next = 0

    mutating func next() async throws -> Token? {
      guard next < tokens.count else {
        switch tokens.end {
        case .end: return nil
        case .error: throw Broken()
        case .never:
          tokens.waiting.update { $0 += 1 }
          do {
            try await Gate().pass()
          } catch {
            tokens.cancelled.update { $0 += 1 }
            throw error
          }
          return nil
        }
      }
      defer { next += 1 }
      tokens.taken.update { $0 += 1 }
      return Token(next)
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(tokens: self) }
}

@Suite("The results of a sequence of inputs", .timeLimit(.minutes(20)), .serialized)
struct InputSequenceTests {
  private func withCluster(
    slots: Int = 2, _ body: @Sendable (Cluster) async throws -> Void
  ) async throws {
    try await Cluster.with(
      ClusterSettings(name: "test", localSlots: slots), scans: [Doubles()], discoveries: [],
      transport: InMemoryNetwork().transport(host: "test"), body)
  }

  @Test("Each input is a sector, numbered as they come, and is forgotten when that has ended")
  func all() async throws {
    try await withCluster { cluster in
      let results = cluster.results(of: Doubles(), for: Tokens(count: 300))
      let updates = results.updates
      var found: [Int: Int] = [:]
      var mostAlive = 0
      for try await (number, output) in results.outputs {
        #expect(found.updateValue(output, forKey: number) == nil)
        mostAlive = max(mostAlive, Token.alive.load(ordering: .relaxed))
      }
      #expect(found == Dictionary(uniqueKeysWithValues: (0..<300).map { ($0, 2 * $0) }))
      #expect(mostAlive < 20)
      #expect(Token.alive.load(ordering: .relaxed) == 0)
      var last: EngagementUpdate?
      for await update in updates { last = update }
      #expect(last?.tally.total == 300 && last?.tally.completed == 300)
    }
  }

  @Test("A node gets inputs, too")
  func node() async throws {
    let (network, discovery) = (InMemoryNetwork(), ManualDiscovery())
    let node = Node(
      NodeSettings(name: "node", slots: 2, endpoint: Endpoint(host: "node", port: 7000)),
      scans: [Doubles()], transport: network.transport(host: "node"), clock: ManualClock()
    ) { name, endpoint in
      discovery.found(name, at: endpoint)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await node.run() }
      try await Cluster.with(
        ClusterSettings(name: "test", localSlots: 0), scans: [Doubles()],
        discoveries: [discovery], transport: network.transport(host: "test"), clock: ManualClock()
      ) { cluster in
        var sum = 0
        for try await (_, output) in cluster.results(of: Doubles(), for: Tokens(count: 20)).outputs
        {
          sum += output
        }
        #expect(sum == 380)
      }
      group.cancelAll()
    }
  }

  @Test("A sequence without inputs has no outcomes")
  func empty() async throws {
    try await withCluster { cluster in
      for try await _ in cluster.results(of: Doubles(), for: Tokens(count: 0)) {
        Issue.record("there is no input")
      }
    }
  }

  @Test("While scans take their time, few inputs of an endless sequence are taken")
  func backPressure() async throws {
    let gate = Gate()
    try await withCluster { cluster in
      let inputs = Tokens(count: .max)
      var outcomes = 0
      gate.letThrough(1)
      for try await _ in cluster.results(of: Doubles(gate: gate), for: inputs) {
        outcomes += 1
        #expect(inputs.taken.value <= outcomes + 10)
        if outcomes == 50 { break }
        gate.letThrough(1)
      }
      #expect(outcomes == 50)
    }
  }

  @Test("While nobody takes the outcomes, few inputs are taken")
  func slowLoop() async throws {
    try await withCluster { cluster in
      let inputs = Tokens(count: .max)
      var outcomes = 0
      for try await _ in cluster.results(of: Doubles(), for: inputs) {
        outcomes += 1
        // The engagement waits for the loop meanwhile.
        for _ in 0..<100 { await Task.yield() }
        #expect(inputs.taken.value <= outcomes + 20)
        if outcomes == 50 { break }
      }
    }
  }

  @Test("An error of the sequence ends the iteration")
  func error() async throws {
    try await withCluster { cluster in
      await #expect(throws: Tokens.Broken.self) {
        for try await _ in cluster.results(of: Doubles(), for: Tokens(count: 3, end: .error)) {}
      }
    }
  }

  @Test("Cancelling the loop, and leaving it, ends the task that iterates over the sequence")
  func cancelling() async throws {
    try await withCluster { cluster in
      let inputs = Tokens(count: 1, end: .never)
      let taken = Watched(0)
      let loop = Task {
        for try await _ in cluster.results(of: Doubles(), for: inputs) {
          taken.update { $0 += 1 }
        }
      }
      try await taken.wait { $0 == 1 }
      loop.cancel()
      await #expect(throws: CancellationError.self) { try await loop.value }
      try await inputs.cancelled.wait { $0 == 1 }

      let others = Tokens(count: 1, end: .never)
      for try await _ in cluster.results(of: Doubles(), for: others) {
        try await others.waiting.wait { $0 == 1 }
        break
      }
      try await others.cancelled.wait { $0 == 1 }
    }
  }

  @Test("A graceful shutdown before the sequence has ended is an error, though no sector is left")
  func shutdown() async throws {
    try await testGracefulShutdown { trigger in
      try await withCluster { cluster in
        let inputs = Tokens(count: 2, end: .never)
        let taken = Watched(0)
        let loop = Task {
          for try await _ in cluster.results(of: Doubles(), for: inputs) {
            taken.update { $0 += 1 }
          }
        }
        try await taken.wait { $0 == 2 }
        trigger.triggerGracefulShutdown()
        await #expect(throws: EngagementError.interrupted(left: 0)) { try await loop.value }
        try await inputs.cancelled.wait { $0 == 1 }
      }
    }
    #expect("\(EngagementError.interrupted(left: 0))".contains("sequence"))
  }
}
