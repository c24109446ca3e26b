import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetViews
@testable import SkyNetWeb

@Suite("What a page is told of a cluster")
struct ClusterFeedTests {
  @Test("A system's row has its scans with a result as done, and those without one as retried")
  func row() throws {
    let system = RemoteSystem(
      Hello(name: "b", incarnation: Incarnation(), slots: 4, timeout: .seconds(5), scans: []),
      name: "b", address: "10.0.0.1:4000")
    let status =
      #"{"slots":4,"running":{},"waiting":{},"done":{"ada":184},"failed":21,"scans":[],"#
      + #""engagements":[],"isDraining":false}"#
    var view = ClusterView(ownFingerprint: nil, at: 0)
    view.apply(.connected(system), at: 1)
    view.polled(
      [system.incarnation: try JSONDecoder().decode(SystemStatus.self, from: Data(status.utf8))],
      at: 2)
    let feed = ClusterFeed(kind: "node") { [view] in view }
    let events = try Told.events(in: feed.events(after: feed.beginning, until: feed.cut()).bytes)
    let cluster = try #require(events.first { $0.name == "cluster" }).data
    let row = try #require((cluster["systems"] as? [[String: Any]])?.first)
    #expect(row["done"] as? Int == 184 && row["retried"] as? Int == 21)
    #expect(row["failed"] == nil)
  }
}
