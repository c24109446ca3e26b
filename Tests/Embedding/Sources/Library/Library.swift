import Foundation
import SkyNetJournal
import SkyNetKit

/// What a program that embeds SkyNet may rely on one step off the main path: a line for each promise, with what came of
/// it here and at a node.
///
///     Library FOLDER
@main struct Library {
  static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "."
    let scans: [any Scan] = [Numbers(), Power(of: 2)]
    let key = ClusterKey()
    let security = try TransportSecurity(key: key)
    let (endpoints, ready) = AsyncStream.makeStream(of: Endpoint.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await runNode(
          scans: scans, name: "node", slots: 2, endpoint: Endpoint(host: "127.0.0.1", port: 0),
          advertisers: [], security: security, signals: [], logger: Logger(label: "node")
        ) { _, endpoint in ready.yield(endpoint) }
      }
      group.addTask {
        for await node in endpoints.prefix(1) {
          for slots in [0, 2] {
            print(slots == 0 ? "at a node:" : "here:")
            try await withCluster(
              scans: scans, name: "library", slots: slots,
              discoveries: slots == 0 ? [FixedPeers([node])] : [], security: security
            ) { cluster in
              if slots == 0 { try await cluster.coordinator().waitForSystems(1) }
              try await sizesAndNumbers(cluster)
              try await failures(cluster)
              try await results(cluster, folder, isLocal: slots > 0)
              try await growth(cluster)
            }
          }
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }
}
