import SkyNetKit

// A first program as people type it: one import, and a sum that is counted in the closure.

struct Square: Scan {
  static let kind = ScanKind(name: "square", version: 1)

  func run(_ number: Int, settings: NoSettings) async throws -> Int { number * number }
}

let security = try TransportSecurity(key: ClusterKey())
let logger = Logger(label: "first")
var sum = 0
try await withCluster(
  scans: [Square()], slots: 2, discoveries: [], security: security, logger: logger
) { cluster in
  for try await (_, output) in cluster.results(of: Square(), for: 0..<5).outputs { sum += output }
}
print("the sum is \(sum)")
