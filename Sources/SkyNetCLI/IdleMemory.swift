import SkyFITS
import SkyNetCluster
import SkyNetCore
import SkyNetTransport
import SkyScan

/// Gives the memory that a node keeps for its next scans back to the kernel whenever the node has had nothing to scan
/// for a while, and again once its cache has dropped the pixels of engagements that have ended.
struct IdleMemory {
  /// A run's next scan comes sooner, as a rule. The first one after that takes new pages, which the kernel clears.
  private static let rest = Duration.seconds(5)

  let node: Node
  /// The node's cache, if it has one.
  let cache: PixelCache?

  /// Runs until cancelled.
  func run() async {
    // An idle time is known by its beginning.
    var (latest, givenBack) = (node.system.idleSince, node.system.idleSince)
    while (try? await Task.sleep(for: Self.rest)) != nil {
      if cache?.dropIdle() == true { givenBack = nil }
      let before = latest
      latest = node.system.idleSince
      guard let latest, latest == before, latest != givenBack else { continue }
      giveBack()
      givenBack = latest
    }
  }

  private func giveBack() {
    PixelRoom.freeSpare()
    Allocator.giveBackGaps()
    node.system.onEachScanThread(Allocator.giveBackEnd)
    EventLoops.onEach(Allocator.giveBackEnd)
  }
}
