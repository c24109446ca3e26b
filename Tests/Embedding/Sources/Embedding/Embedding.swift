import SkyNetCluster
import SkyNetCore
import SkyNetTestKit

/// Counts the primes below 10,000 on a node and an engagement in one process, which reach each other
/// by a network in memory.
@main struct Embedding {
  static func main() async throws {
    let (network, discovery) = (InMemoryNetwork(), ManualDiscovery())
    let node = Node(
      NodeSettings(name: "node", slots: 2, endpoint: Endpoint(host: "node", port: 1)),
      scans: [PrimeScan()], transport: network.transport(host: "node")
    ) { name, endpoint in
      discovery.found(name, at: endpoint)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await node.run() }
      defer { group.cancelAll() }
      try await Cluster.with(
        ClusterSettings(name: "engagement", localSlots: 0), scans: [PrimeScan()],
        discoveries: [discovery], transport: network.transport(host: "engagement")
      ) { cluster in
        let (job, tally) = try await cluster.coordinator().run(PrimeJob())
        print("\(job.total) primes in \(tally.completed) sectors")
      }
    }
  }
}

/// Counts a range's primes.
struct PrimeScan: Scan {
  static let kind = ScanKind(name: "primes", version: 1)

  struct Settings: Codable, Sendable {}

  struct Sector: Codable, Sendable {
    var range: Range<Int>
  }

  func run(_ sector: Sector, settings: Settings) async throws -> Int {
    sector.range.count { number in
      number > 1
        && (2..<max(2, number)).prefix { $0 * $0 <= number }.allSatisfy {
          !number.isMultiple(of: $0)
        }
    }
  }
}

/// The numbers below 10,000, a thousand to a sector.
struct PrimeJob: Job {
  typealias Work = PrimeScan

  let settings = PrimeScan.Settings()
  let sectorCount = 10
  private(set) var total = 0

  func sector(for task: TaskID) -> PrimeScan.Sector {
    PrimeScan.Sector(range: task.sector * 1000..<(task.sector + 1) * 1000)
  }

  mutating func receive(_ output: Int, for task: TaskID) -> ReceivedResult {
    total += output
    return ReceivedResult(result: output)
  }
}
