import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// The cluster's systems and engagements as tables, for a screen and for plain text.
enum ClusterTables {
  private static let barColumns = 8

  // MARK: Systems

  /// - Parameter hasBars: whether slots are shown as a bar.
  static func systems(
    _ systems: [ClusterSystem], in view: ClusterView, hasBars: Bool = true
  ) -> TextTable {
    TextTable(
      columns: [
        .init(title: "SYSTEM", least: 8, wanted: 12),
        .init(title: "SLOTS"),
        .init(title: "WAIT", rank: 7, alignsRight: true),
        .init(title: "RATE", rank: 3, alignsRight: true),
        .init(title: "DONE", rank: 4, alignsRight: true),
        .init(title: "RETRIED", rank: 6, alignsRight: true),
        .init(title: "LOAD", rank: 2, alignsRight: true),
        .init(title: "VERSION", rank: 5),
        .init(title: "SCANS FOR", least: 9, wanted: 22),
        .init(title: "ADDRESS", rank: 8),
      ],
      rows: systems.map { row($0, in: view, hasBars) })
  }

  private static func row(
    _ system: ClusterSystem, in view: ClusterView, _ hasBars: Bool
  ) -> TextTable.Row {
    let isKnown = system.status != nil
    let known = { (text: String) in isKnown ? text : "-" }
    return TextTable.Row(
      cells: [
        system.name,
        system.isGone ? "-" : slots(system, hasBars: hasBars),
        known("\(system.waiting)"),
        known(FigureText.rate(system.rate(at: view.now))),
        known("\(system.done)"),
        known("\(system.retried)"),
        system.load.map { load($0) } ?? "-",
        system.system.version,
        doing(system, in: view),
        system.system.address,
      ],
      style: style(system))
  }

  static func slots(_ system: ClusterSystem, hasBars: Bool = true) -> String {
    let slots = system.system.slots
    guard system.status != nil else {
      return (hasBars ? Figures.bar(0, columns: barColumns) + " " : "") + "-/\(slots)"
    }
    let bar = Figures.bar(Double(system.running) / Double(max(1, slots)), columns: barColumns)
    return (hasBars ? bar + " " : "") + "\(system.running)/\(slots)"
  }

  static func load(_ load: Double) -> String {
    let hundredths = Int((min(load, 1e6) * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// What a system does, and what is wrong with it.
  static func doing(_ system: ClusterSystem, in view: ClusterView) -> String {
    let time = view.now
    switch system.condition {
    case .gone, .silent: return system.condition.trouble(at: time) ?? ""
    case .leaving:
      let clients = clients(system, in: view)
      let leaving = system.condition.trouble(at: time) ?? ""
      return clients.isEmpty ? leaving : "\(leaving), \(clients)"
    case .present, .yielding, .unsuited, .paused: break
    }
    guard let answered = system.answered else {
      return time - system.connected > 2 ? "does not tell" : "…"
    }
    guard time - answered < 3 else { return "no answer for \(FigureText.time(time - answered))" }
    let clients = clients(system, in: view)
    return clients.isEmpty ? "idle" : clients
  }

  /// The clients for which a system scans, with the number of scans and what is scanned: `ada 3 (sky.fits), bob 1`.
  private static func clients(_ system: ClusterSystem, in view: ClusterView) -> String {
    let scans = system.status?.scans ?? []
    return system.clients.map { name, running in
      let runs = Set(scans.filter { $0.client == name }.map(\.run))
      let names = Set(runs.compactMap { view.engagement($0)?.summary.name }).sorted()
      return "\(name) \(running)"
        + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
    }.joined(separator: ", ")
  }

  private static func style(_ system: ClusterSystem) -> Style {
    switch system.condition {
    case .gone: .bad
    case .silent: .bad
    case .leaving, .yielding, .paused, .unsuited: .doubtful
    case .present: .plain
    }
  }

  // MARK: Engagements

  static func engagements(
    _ engagements: [EngagementSummary], hasBars: Bool = true, hasRuns: Bool = false
  ) -> TextTable {
    TextTable(
      columns: [
        .init(title: hasRuns ? "ENGAGEMENTS" : "ENGAGEMENT", least: 8, wanted: 12),
        .init(title: "BY", rank: 3),
        .init(title: "PROGRESS"),
        .init(title: "DONE", rank: 2, alignsRight: true),
        .init(title: "FAILED", rank: 4, alignsRight: true),
        .init(title: "RATE", rank: 5, alignsRight: true),
        .init(title: "TIME LEFT", rank: 1, alignsRight: true),
        .init(title: "PASS", rank: 6, least: 10, keepsEnd: true),
      ] + (hasRuns ? [.init(title: "RUN")] : []),
      rows: engagements.map { engagement in
        TextTable.Row(
          cells: [
            engagement.name, engagement.client, progress(engagement, hasBars: hasBars),
            "\(engagement.steps.done)/\(engagement.steps.total)", "\(engagement.steps.failed)",
            FigureText.rate(engagement.rate), timeLeft(engagement), engagement.pass ?? "",
          ] + (hasRuns ? [engagement.run.short] : []),
          style: engagement.steps.failed > 0 ? .doubtful : .plain)
      })
  }

  static func progress(_ engagement: EngagementSummary, hasBars: Bool = true) -> String {
    let percent = "\(Int(engagement.fraction * 100))%"
    return hasBars
      ? Figures.bar(engagement.fraction, columns: barColumns) + percent.indented(to: 5) : percent
  }

  static func timeLeft(_ engagement: EngagementSummary) -> String {
    engagement.secondsLeft.map { FigureText.time($0) } ?? "…"
  }
}
