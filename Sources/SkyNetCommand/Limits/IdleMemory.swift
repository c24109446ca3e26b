import SkyNetCluster
import SkyNetCore
import SkyNetTransport

/// Gives the memory that a node keeps for its next scans back to the kernel whenever the node has had nothing to scan
/// for a while, and again once what it kept for engagements that have ended is dropped.
struct IdleMemory {
  /// A run's next scan comes sooner, as a rule. The first one after that takes new pages, which the kernel clears.
  private static let rest = Duration.seconds(5)

  let node: Node
  let offer: NodeOffer

  /// Runs until cancelled.
  func run() async {
    // An idle time is known by its beginning.
    var latest = await node.system.idleSince
    var givenBack = latest
    while (try? await Task.sleep(for: Self.rest)) != nil {
      if offer.dropUnused() { givenBack = nil }
      let before = latest
      latest = await node.system.idleSince
      guard let latest, latest == before, latest != givenBack else { continue }
      giveBack()
      givenBack = latest
    }
  }

  private func giveBack() {
    offer.freeSpare()
    Allocator.giveBackGaps()
    node.system.onEachScanThread(Allocator.giveBackEnd)
    EventLoops.onEach(Allocator.giveBackEnd)
  }
}
