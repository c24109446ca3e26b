package import SkyNetCluster
package import SkyNetCore

/// What is looked up of a node or of an engagement when a Prometheus asks, so that nothing is spent on it before.
package enum ClusterFigures {
  // MARK: Both sides

  /// The version of the software.
  package static var build: [MetricFamily] {
    [
      MetricFamily(
        "skynet_build_info", .gauge, help: "The versions of the software and of its wire protocol.",
        [
          .init(
            [
              .init("version", SkyNetVersion.software),
              .init("protocol", "\(SkyNetVersion.wireProtocol)"),
            ], 1)
        ])
    ]
  }

  /// What a process's own system does.
  package static func slots(_ status: ServingStatus) -> [MetricFamily] {
    [
      .gauge(
        "skynet_slots", help: "How many scans this process runs at a time.", Double(status.slots)),
      .gauge(
        "skynet_slots_busy", help: "How many scans run in this process.",
        Double(status.running.count)),
      .gauge(
        "skynet_scans_waiting", help: "How many tasks wait for a slot of this process.",
        Double(status.waiting.values.reduce(0, +))),
    ]
  }

  // MARK: A node

  package static func node(
    _ status: ServingStatus, condition: Node.Condition, clients: Int
  ) -> [MetricFamily] {
    slots(status) + [
      .gauge(
        "skynet_clients_connected", help: "How many programs are connected to this node.",
        Double(clients)),
      .gauge(
        "skynet_ready",
        help: "Whether this node takes scans: 1, or 0 while it starts, drains or is full.",
        condition == .ready ? 1 : 0),
    ]
  }

  // MARK: An engagement

  package static func engagements(
    _ summaries: [EngagementSummary], loads: [Systems.Load], peers: Int
  ) -> [MetricFamily] {
    systems(loads, peers: peers) + sectors(summaries)
  }

  private static func sectors(_ summaries: [EngagementSummary]) -> [MetricFamily] {
    guard !summaries.isEmpty else { return [] }
    let total = summaries.reduce(0) { $0 + $1.sectors }
    let completed = summaries.reduce(0) { $0 + $1.completed }
    let failed = summaries.reduce(0) { $0 + $1.failed }
    let counts = [
      ("completed", completed), ("failed", failed), ("left", total - completed - failed),
    ]
    return [
      MetricFamily(
        "skynet_sectors", .gauge,
        help: "The sectors of this process's engagements: with a result, given up, or left to do.",
        counts.map { .init([.init("state", $0)], Double($1)) }),
      .gauge(
        "skynet_sectors_per_second", help: "How many sectors ended per second lately.",
        summaries.reduce(0) { $0 + $1.rate }),
      MetricFamily(
        "skynet_left_seconds", .gauge,
        help: "How long the rest takes at the present pace; absent while that is not known.",
        summaries.compactMap(\.secondsLeft).max().map { [.init([], $0)] } ?? []),
    ]
  }

  /// The parts of growing jobs. There is no label for each, as a job has thousands; none, while no job grows.
  ///
  /// - Parameter name: the metric's.
  package static func parts(
    of summaries: [EngagementSummary], _ name: String, help: String
  ) -> [MetricFamily] {
    let counts = summaries.compactMap(\.parts)
    guard !counts.isEmpty else { return [] }
    let states = [
      ("completed", counts.reduce(0) { $0 + $1.done }),
      ("failed", counts.reduce(0) { $0 + $1.failed }),
      ("left", counts.reduce(0) { $0 + $1.left }),
    ]
    return [
      MetricFamily(
        name, .gauge, help: help, states.map { .init([.init("state", $0)], Double($1)) })
    ]
  }

  private static func systems(_ loads: [Systems.Load], peers: Int) -> [MetricFamily] {
    var (slots, inFlight): ([MetricFamily.Sample], [MetricFamily.Sample]) = ([], [])
    for (name, slotCount, attemptCount) in bounded(loads) {
      let labels = [MetricFamily.Label("system", name)]
      slots.append(.init(labels, Double(slotCount)))
      inFlight.append(.init(labels, Double(attemptCount)))
    }
    return [
      .gauge(
        "skynet_systems_connected", help: "How many other systems are connected.", Double(peers)),
      MetricFamily(
        "skynet_system_slots", .gauge, help: "The slots of each system; local is this process.",
        slots),
      MetricFamily(
        "skynet_attempts_in_flight", .gauge,
        help: "The attempts that each system has been given and that have not ended.", inFlight),
    ]
  }

  /// The loads by name: systems of the same name together, and those beyond the limit as `other`.
  private static func bounded(_ loads: [Systems.Load]) -> [(String, slots: Int, inFlight: Int)] {
    var names: [String] = []
    var sums: [String: (slots: Int, inFlight: Int)] = [:]
    for load in loads {
      let isKnown = sums[load.name] != nil
      let name =
        isKnown || names.count < EngagementMetrics.systemLimit
        ? load.name : EngagementMetrics.otherSystems
      if sums[name] == nil { names.append(name) }
      let sum = sums[name] ?? (0, 0)
      sums[name] = (sum.slots + load.slots, sum.inFlight + load.inFlight)
    }
    return names.map { ($0, sums[$0]?.slots ?? 0, sums[$0]?.inFlight ?? 0) }
  }
}
