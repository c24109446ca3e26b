import Foundation
import SkyNetCore

@testable import SkyNetCluster
@testable import SkyNetViews

/// A cluster to look at: systems `s0`, `s1`, … of four slots, which scan for `ada` and hear of engagements.
struct SampleCluster {
  var view = ClusterView(ownFingerprint: "cead000000000000", at: 0)
  private(set) var systems: [RemoteSystem] = []
  private(set) var runs: [RunID] = []

  /// - Parameter names: the systems' names; with `nil`, `s0`, `s1`, ….
  init(systems count: Int, engagements: Int = 1, names: [String]? = nil) throws {
    for number in 0..<count {
      let name = names?[number] ?? "s\(number)"
      let system = RemoteSystem(
        Hello(
          software: "0.9.0", name: name, incarnation: Incarnation(), slots: 4,
          timeout: .seconds(5), scans: [ScanKind(name: "sources", version: 2)]),
        name: name, address: "10.0.0.\(number):4000")
      systems.append(system)
      view.apply(.connected(system), at: 1)
    }
    runs = (0..<engagements).map { _ in RunID() }
    try poll(at: 2)
  }

  /// Each system answers: the one of number n runs n modulo 5 scans, and has done 10 n.
  mutating func poll(at time: Double, completed: Int = 120) throws {
    var statuses: [Incarnation: SystemStatus] = [:]
    for (number, system) in systems.enumerated() {
      statuses[system.incarnation] = try status(
        running: number % 5, done: number * 10, load: Double(number) / 2, completed: completed)
    }
    view.polled(statuses, at: time)
  }

  func status(
    running: Int, done: Int, load: Double = 0.5, completed: Int = 120
  ) throws -> SystemStatus {
    let run = runs.first ?? RunID()
    let scans = (0..<running).map { sector in
      #"{"sector":\#(sector),"pass":1,"client":"ada","run":"\#(run)","seconds":1.5}"#
    }
    let told = try runs.enumerated().map { number, run in
      let summary = EngagementSummary(
        run: run, name: "sky\(number).fits", client: "ada", sectors: 200, completed: completed,
        failed: number, rate: 3.2, secondsLeft: 25, pass: "pass 2 of 3, detection")
      return String(decoding: try JSONEncoder().encode(summary), as: UTF8.self)
    }
    let text =
      #"{"slots":4,"running":{"ada":\#(running)},"waiting":{"bob":2},"done":{"ada":\#(done)},"#
      + #""failed":1,"load":\#(load),"scans":[\#(scans.joined(separator: ","))],"#
      + #""engagements":[\#(told.joined(separator: ","))],"isDraining":false}"#
    return try JSONDecoder().decode(SystemStatus.self, from: Data(text.utf8))
  }
}
