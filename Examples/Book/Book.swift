import SkyNetKit

// The book's last chapter on this library's actors: `swift run --package-path Examples book`. A name of the book on the
// left, what stands for it here on the right:
//
//   actor ScanSystem     the library's distributed actor ScanSystem (Sources/SkyNetCluster/Scanning). A program calls it
//                        by an `AvailableSystem`, which runs a scan here or on a peer; the caller does not see which.
//   actor Systems        the library's actor Systems (Sources/SkyNetCluster/Peers), `cluster.systems`. It knows the
//                        peers, and `firstAvailableSystem` commits one of their slots.
//   commit(), count      the slot, which an AvailableSystem holds until its scan has ended.
//   ScanTransport        TCP and TLS. Here two peers are named by address; `DNSSD()` finds those of a network.
//   the task group       `Sky.scanAll`, with `worker` for its children.
//   Re-run task          the `.failure` cases in `Sky.scanAll`. Here another system tries the task again, five times.

/// The work on one numbered sector. It takes its time, and calls an API that is not reliable.
struct SectorScan: Scan {
  static let kind = ScanKind(name: "book-sector", version: 1)

  /// A scan value stays in its process, which here is one for all three systems. The number and the text that is returned travel, as JSON.
  let api: UnreliableAPI

  func run(_ number: Int, settings: NoSettings) async throws -> String {
    try await Task.sleep(for: .milliseconds(200))
    try await api.call()
    return "\(number)"
  }
}

/// Fails every tenth time.
actor UnreliableAPI {
  struct Failure: Error, CustomStringConvertible { let description = "the API failed" }

  private var calls = 0

  func call() throws {
    calls += 1
    if calls.isMultiple(of: 10) { throw Failure() }
  }
}

/// One sector that is to be scanned.
struct ScanTask {
  let number: Int
  /// How often it is tried, this time included. Without the count, a task that always fails would be tried for ever.
  var tries = 1
  /// The system on which it failed last, which remembers those before.
  var failedOn: AvailableSystem<SectorScan>?
  static let mostTries = 5
}

/// What a child of the task group returns. A failure is a value: a child that throws would end the whole group.
struct Outcome {
  let task: ScanTask
  let system: AvailableSystem<SectorScan>
  let result: Result<String, any Error>
}

/// The model: scans all sectors on all systems.
struct Sky {
  let systems: Systems
  typealias Children = ThrowingTaskGroup<Outcome, any Error>

  /// Scans the sectors `0..<total`, at most `limit` at a time: first as many children as that, and then one more for
  /// each that has ended.
  func scanAll(_ total: Int, atMost limit: Int) async throws {
    var waiting = (0..<total).reversed().map { ScanTask(number: $0) }
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for _ in 0..<limit {
        if let task = waiting.popLast() { try await add(task, to: &group) }
      }
      while let outcome = try await group.next() {
        let task = outcome.task
        switch outcome.result {
        case .success:
          print("Completed: \(task.number) by \(outcome.system.name)")
        case .failure(let error) where task.tries < ScanTask.mostTries:
          print("Re-run task: \(task.number). Failed with: \(error)")
          // `popLast` takes it next.
          waiting.append(
            ScanTask(number: task.number, tries: task.tries + 1, failedOn: outcome.system))
        case .failure(let error):
          print("Given up: \(task.number) after \(task.tries) tries. Failed with: \(error)")
        }
        if let task = waiting.popLast() { try await add(task, to: &group) }
      }
    }
  }

  /// Waits for the first available system, and adds a child that scans there. A task that has failed before gets
  /// another system if there is one, ahead of whoever else in this program wants a slot.
  private func add(_ task: ScanTask, to group: inout Children) async throws {
    let system = try await systems.firstAvailableSystem(for: SectorScan.self, after: task.failedOn)
    group.addTask(priority: task.tries > 1 ? .high : nil) { await worker(task, on: system) }
  }

  private func worker(_ task: ScanTask, on system: AvailableSystem<SectorScan>) async -> Outcome {
    do {
      let output = try await system.run(task.number)
      return Outcome(task: task, system: system, result: .success(output))
    } catch {
      return Outcome(task: task, system: system, result: .failure(error))
    }
  }
}

/// Runs two nodes, as `skynet node` would on two machines, on this machine's loopback until `body` returns.
func withLoopbackPeers(
  for scan: SectorScan, slots: Int, _ body: @escaping @Sendable ([Endpoint]) async throws -> Void
) async throws {
  let names = ["a", "b"]
  let (endpoints, ready) = AsyncStream.makeStream(of: Endpoint.self)
  // The account's own key makes them members, of each other and of this program.
  let transport = Transport.tcp(try .ofThisAccount())
  try await withThrowingTaskGroup(of: Void.self) { group in
    for name in names {
      let address = Endpoint(host: "127.0.0.1", port: 0)
      let node = Node(
        NodeSettings(name: name, slots: slots, endpoint: address), scans: [scan],
        transport: transport
      ) { _, endpoint in ready.yield(endpoint) }
      group.addTask { try await node.run() }
    }
    group.addTask {
      var peers: [Endpoint] = []
      for await endpoint in endpoints.prefix(names.count) { peers.append(endpoint) }
      try await body(peers)
    }
    // The first child that ends is the body, or else a node that cannot listen, whose error this throws.
    try await group.next()
    group.cancelAll()
  }
}

@main struct Book {
  static func main() async throws {
    let (scan, slots) = (SectorScan(api: UnreliableAPI()), 2)
    try await withLoopbackPeers(for: scan, slots: slots) { peers in
      try await withCluster(
        scans: [scan], name: "book", slots: slots, discoveries: [FixedPeers(peers)]
      ) { cluster in
        try await cluster.coordinator().waitForSystems(peers.count)
        // This program scans too.
        try await Sky(systems: cluster.systems).scanAll(20, atMost: slots * (peers.count + 1))
      }
    }
    print("Done.")
  }
}
