/// What a node does when the cluster's keys change while it runs.
extension Node {
  /// Follows the keys until cancelled. After a change, the node advertises its new fingerprints, and ends the
  /// connections that were made by a key that is no longer held. Programs that hold a new key connect again,
  /// and hand out again what ran over the old connection.
  func followKeys() async {
    await keyChanges.follow(transport, of: "this node", clock: clock, logger: logger) {
      await self.leaveFormerKeys()
    }
  }

  private func leaveFormerKeys() {
    for link in served.values { link.leave(unlessHeldBy: transport) }
  }
}
