import SkyNetKit

/// Sectors of which one ends the process that scans it.
struct Trap: Scan {
  static let kind = ScanKind(name: "trap", version: 1)

  func run(_ number: Int, settings: NoSettings) async throws -> Int {
    [0, 1, 2][number]
  }
}

///     Trapping node PORT        a node on this machine
///     Trapping engage PORT...   engages those nodes, and scans nothing itself
@main struct Trapping {
  static func main() async throws {
    let ports = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
      .map { Endpoint(host: "127.0.0.1", port: $0) }
    guard CommandLine.arguments.dropFirst().first == "engage" else {
      return try await runNode(
        scans: [Trap()], name: "n\(ports[0].port)", slots: 1, endpoint: ports[0], advertisers: [])
    }
    try await withCluster(scans: [Trap()], slots: 0, discoveries: [FixedPeers(ports)]) { cluster in
      try await cluster.coordinator().waitForSystems(ports.count)
      for try await sector in cluster.results(of: Trap(), for: 0..<4) {
        switch sector.output {
        case .success(let output): print("\(sector.number): \(output)")
        case .failure(let failure): print(failure)
        }
      }
    }
  }
}
