import Primes
import SkyNetKit

try await runNode(scans: [Primes()]) { name, endpoint in
  print("\(name) serves on port \(endpoint.port)")
}
