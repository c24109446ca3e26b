import Testing

@testable import SkyNetCluster

@Suite("Words for nodes of other clusters")
struct ForeignNodesTextTests {
  private let own = "cead000000000000"

  private func node(
    _ name: String, host: String? = "10.0.0.7", key: String? = "d8f2111122223333"
  ) -> ForeignNode {
    ForeignNode(name: name, host: host, fingerprint: key)
  }

  @Test("A node of another cluster is named with both keys and the commands for each direction")
  func oneNode() {
    let text = ForeignNodesText([node("other")], ownFingerprint: own)
    #expect(text.names == "1 node of another cluster: other (key d8f2…, yours cead…)")
    #expect(
      text.advice == [
        "to let it in: run `skynet invite` here, and the line that it prints on 10.0.0.7",
        "to join it: run `skynet invite` on 10.0.0.7, and the line that it prints here",
      ])
  }

  @Test(
    "Of a node on this machine the advice names the account, as the address would lead back here")
  func otherAccount() {
    func advice(_ account: LocalAccount) -> [String] {
      let node = ForeignNode(name: "a", host: "10.0.0.7", fingerprint: "d8f2", account: account)
      return ForeignNodesText([node], ownFingerprint: own).advice
    }
    #expect(
      advice(LocalAccount(name: "ada", isOwn: false))[1]
        == "to join it: run `skynet invite` as ada on this machine, and the line that it prints here"
    )
    #expect(
      advice(LocalAccount(name: "ada", isOwn: true))[0]
        == "to let it in: run `skynet invite` here, and the line that it prints with its key on this machine"
    )
  }

  @Test("Nodes are gathered by their clusters, and long lists are cut")
  func severalClusters() {
    let nodes = ["a", "b", "c", "d", "e"].map { node($0) } + [node("f", key: nil)]
    #expect(
      ForeignNodesText(nodes, ownFingerprint: own).names
        == "6 nodes of 2 other clusters: a, b, c and 2 more (key d8f2…, yours cead…), "
        + "f (no encryption, your key cead…)")
  }

  @Test("Of several nodes the advice names one, unless its name could be more than a name")
  func several() {
    for (name, shown) in [("ada", "ada"), ("$(reboot)", "the first of them")] {
      let text = ForeignNodesText([node(name), node("b", key: "1234")], ownFingerprint: own)
      #expect(text.advice[0].hasPrefix("to let \(shown) in: run `skynet invite` here"))
      #expect(text.advice[1].hasPrefix("to join \(shown): run `skynet invite` on"))
    }
  }

  @Test("Where one side does not encrypt, no key is to be copied")
  func withoutEncryption() {
    #expect(
      ForeignNodesText([node("a", key: nil)], ownFingerprint: own).advice == [
        "a runs with --insecure: start it without, or this command with --insecure"
      ])
    #expect(
      ForeignNodesText([node("a")], ownFingerprint: nil).line
        == "1 node of another cluster: a (key d8f2…, you have none); "
        + "a has a key, and this command runs with --insecure: start it without")
  }

  @Test(
    "An address that could be more than an address is not shown beside commands",
    arguments: ["$(reboot)", "a;b", "-oProxyCommand=x", "a b", "x`y`"])
  func hostileHost(host: String) {
    let text = ForeignNodesText([node("a", host: host)], ownFingerprint: own)
    #expect(text.advice.allSatisfy { $0.contains(" there") && !$0.contains(host) })
  }
}
