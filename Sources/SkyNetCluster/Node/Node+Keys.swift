import Logging
import SkyNetCore

/// What a node does when the cluster's keys change while it runs.
extension Node {
  /// Follows the keys until cancelled. After a change, the node advertises its new fingerprints, and ends the
  /// connections that were made by a key that is no longer held. Programs that hold a new key connect again,
  /// and hand out again what ran over the old connection.
  func followKeys() async {
    await transport.followKeys(clock: clock) { await self.hear($0) }
  }

  private func hear(_ news: KeyNews) async {
    logger.log(level: news.level, "this node \(news.text)")
    guard case .changed = news else { return }
    for changes in [advertisedKeys, judgedKeys, dialledKeys] { await changes.announce() }
    for link in served.values { link.leave(unlessHeldBy: transport) }
  }
}
