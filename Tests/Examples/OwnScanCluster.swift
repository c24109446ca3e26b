import Logging
import ServiceLifecycle
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import SkyNetTransport
import UnixSignals

import struct Foundation.Data

/// A transport that trusts peers with this account's cluster key, which the command `skynet` also
/// uses.
func transportOfThisAccount() throws -> Transport {
  .tcp(try .ofThisAccount())
}

/// Serves the scan until SIGTERM or Ctrl-C, and then finishes the running scans.
func serveBright(
  transport: Transport, advertisers: [any Advertiser] = [DNSSD()],
  signals: [UnixSignal] = [.sigterm, .sigint],
  onReady: @escaping Node.Ready
) async throws {
  // Listen on all addresses, on any free port.
  let settings = NodeSettings(name: "bright", slots: 4, endpoint: .everywhere(port: 0))
  let node = Node(
    settings, scans: [BrightScan()], transport: transport, advertisers: advertisers,
    onReady: onReady)
  let services = ServiceGroup(
    services: [node], gracefulShutdownSignals: signals, logger: Logger(label: "bright"))
  try await services.run()
}

/// Counts the bright pixels of these rows on all systems, this one included.
func countBright(
  in rows: [Data], transport: Transport, discoveries: [any Discovery] = [DNSSD()],
  localSlots: Int = 2, engagement: EngagementSettings = EngagementSettings()
) async throws -> Int {
  let settings = ClusterSettings(name: "count bright", localSlots: localSlots)
  return try await Cluster.with(
    settings, scans: [BrightScan()], discoveries: discoveries, transport: transport
  ) { cluster in
    let job = BrightJob(rows: rows, threshold: 200)
    let (done, tally) = try await cluster.coordinator(engagement).run(job) { update in
      if case .failed(let failure) = update.event {
        print("row \(failure.sector) was given up: \(failure.failures.map(\.reason))")
      }
    }
    guard tally.failed == 0 else { throw RowsMissing(count: tally.failed) }
    return done.total
  }
}

struct RowsMissing: Error {
  let count: Int
}
