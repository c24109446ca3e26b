import SkyNetKit

// Without DNS-SD: nodes listen at addresses of your choice, and the program names them.
//
//   addresses node 192.168.1.7:7777                  on one machine
//   addresses node 192.168.1.8:7777                  on another
//   addresses 192.168.1.7:7777 192.168.1.8:7777      on a third, or on one of them

/// Counts the words of a text.
struct WordCount: Scan {
  static let kind = ScanKind(name: "words", version: 1)

  func run(_ text: String, settings: NoSettings) async throws -> Int {
    text.split(separator: " ").count
  }
}

let arguments = CommandLine.arguments.dropFirst()
let addresses = arguments.compactMap { Endpoint($0) }
if arguments.first == "node", let address = addresses.first {
  try await runNode(scans: [WordCount()], endpoint: address, advertisers: [])
} else {
  try await count(on: addresses)
}

func count(on nodes: [Endpoint]) async throws {
  var words = 0
  try await withCluster(
    scans: [WordCount()], slots: 0, discoveries: [FixedPeers(nodes)]
  ) { cluster in
    try await cluster.coordinator().waitForSystems(nodes.count)
    let texts = ["the sky", "is full of stars", "and of machines"]
    for try await (_, count) in cluster.results(of: WordCount(), for: texts).outputs {
      words += count
    }
  }
  print("\(words) words")
}
