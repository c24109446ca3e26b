import Primes
import SkyNetKit

let ranges = stride(from: 0, to: 10_000_000, by: 100_000).map { $0..<$0 + 100_000 }
let total = try await withCluster(scans: [Primes()]) { cluster in
  var total = 0
  for try await sector in cluster.results(of: Primes(), for: ranges) {
    total += try sector.output.get()
  }
  return total
}
print("\(total) primes below 10,000,000")
