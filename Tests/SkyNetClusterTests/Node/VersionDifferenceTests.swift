import SkyNetCore
import Testing

@testable import SkyNetCluster

@Suite("Differences of versions")
struct VersionDifferenceTests {
  private func hello(_ name: String, _ kinds: [String], software: String = "0.1.0") -> Hello {
    Hello(
      software: software, name: name, incarnation: Incarnation(), slots: 0,
      timeout: .seconds(5), scans: kinds.compactMap { ScanKind($0) })
  }

  private func text(client: [String], node: [String]) -> String? {
    VersionDifference(
      client: hello("ada", client, software: "0.2.0"), node: hello("a", node)
    )?.description
  }

  @Test("Equal kinds of scan are no difference, whatever the versions of the software")
  func equalKinds() {
    #expect(text(client: ["sources/3"], node: ["sources/3", "simulated/1"]) == nil)
  }

  @Test("A kind that the node does not know at all is no difference of versions")
  func unknownKind() {
    #expect(text(client: ["primes/1"], node: ["sources/3"]) == nil)
  }

  @Test("Another version of a kind is told with the versions of both sides")
  func otherVersion() {
    #expect(
      text(client: ["simulated/1", "sources/4"], node: ["simulated/1", "sources/3"])
        == "ada gives this node none of its scans where versions differ: ada has sources/4, "
        + "this node sources/3 (SkyNet 0.2.0 there, \(SkyNetVersion.software) here)")
  }
}
