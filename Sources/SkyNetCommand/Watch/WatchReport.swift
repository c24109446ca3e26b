import Foundation
import SkyNetCluster
import SkyNetViews

/// The cluster as plain text, for pipes and terminals that cannot be drawn on.
struct WatchReport {
  let view: ClusterView
  /// The number of the last notice that an earlier report had.
  let seenNotices: Int

  var text: String {
    let state = WatchState()
    let systems = state.systems(view)
    var lines = [Figures.clock(view.now) + "  " + ClusterHead.parts(view).joined(separator: ", ")]
    if !systems.isEmpty {
      lines += ClusterTables.systems(systems, in: view, hasBars: false).lines().map(\.text)
    }
    if !view.engagements.isEmpty {
      lines += ClusterTables.engagements(
        state.engagements(view).map(\.summary), hasBars: false
      ).lines().map(\.text)
    }
    let foreign = ForeignNodesText(view.foreignNodes, ownFingerprint: view.ownFingerprint)
    lines += foreign.lines.map(\.showingControls)
    lines += view.notices.latest(after: seenNotices).map { ClusterHead.notice($0).text }
    return lines.map { $0.shown + "\n" }.joined()
  }
}
