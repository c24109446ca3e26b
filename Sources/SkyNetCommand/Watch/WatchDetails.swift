import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// All that is known of one system or one engagement, as lines.
struct WatchDetails {
  typealias Line = FullScreen.Line

  let view: ClusterView
  let columns: Int

  // MARK: A system

  func lines(_ system: ClusterSystem) -> [Line] {
    [heading(system.name)]
      + fields([
        ("address", system.system.address),
        ("version", system.system.version),
        ("offers", system.system.scans.map { "\($0)" }.joined(separator: ", ")),
        ("seen since", Figures.clock(system.connected)),
        ("now", ClusterTables.doing(system, in: view)),
        ("slots", ClusterTables.slots(system) + ", \(system.waiting) waiting"),
        (
          "",
          Figures.sparkline(
            samples(system).map { Double($0.running) }, most: Double(system.system.slots))
        ),
        ("load", system.load.map { ClusterTables.load($0) } ?? "-"),
        (
          "scans",
          "\(system.done) done, \(system.retried) retried, "
            + "\(FigureText.rate(system.rate(at: view.now)))/s"
        ),
      ]) + clients(system)
      + scans(system.status?.scans.map { (system.name, $0) } ?? [], in: .system)
  }

  private func samples(_ system: ClusterSystem) -> ArraySlice<ClusterSystem.Sample> {
    system.samples.suffix(max(0, columns - 12))
  }

  private func clients(_ system: ClusterSystem) -> [Line] {
    guard let status = system.status else { return [] }
    let names = Set(status.clients).union(status.done.keys).sorted()
    guard !names.isEmpty else { return [] }
    let table = TextTable(
      columns: [
        .init(title: "CLIENT", least: 8), .init(title: "RUNNING", alignsRight: true),
        .init(title: "WAITING", alignsRight: true), .init(title: "DONE", alignsRight: true),
      ],
      rows: names.map { name in
        TextTable.Row(cells: [
          name, "\(status.running[name] ?? 0)", "\(status.waiting[name] ?? 0)",
          "\(status.done[name] ?? 0)",
        ])
      })
    return [blank] + lines(table)
  }

  // MARK: An engagement

  func lines(_ engagement: ClusterEngagement) -> [Line] {
    let summary = engagement.summary
    let running = engagement.running.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let pass =
      summary.pass.map { pass in
        // Of a path the end tells most.
        [("pass", summary.parts == nil ? pass : pass.cutAtStart(to: max(1, columns - 12)))]
      } ?? []
    return [heading(summary.name)]
      + fields(
        [
          ("by", summary.client), ("run", summary.run.short),
          ("seen since", Figures.clock(engagement.since)),
          (
            "progress",
            ClusterTables.progress(summary)
              + ", \(summary.progressText)\(summary.parts == nil ? " sectors" : ""), "
              + "\(summary.steps.failed) failed"
          ),
        ] + pass + [
          ("time left", ClusterTables.timeLeft(summary)),
          ("rate", "\(FigureText.rate(summary.rate)) sectors/s"),
          ("", Figures.sparkline(engagement.rates.suffix(max(0, columns - 12)))),
          (
            "scans on",
            running.isEmpty
              ? "none of the systems here"
              : Figures.counts(running.map { ($0.key, $0.value) })
          ),
        ]) + scans(scans(of: engagement), in: .engagement)
  }

  private func scans(of engagement: ClusterEngagement) -> [(String, SystemStatus.RunningScan)] {
    view.systems.flatMap { system in
      (system.status?.scans ?? []).filter { $0.run == engagement.id }.map { (system.name, $0) }
    }
  }

  // MARK: Parts

  private enum Place { case system, engagement }

  /// The scans that run, the longest first.
  private func scans(
    _ scans: [(system: String, scan: SystemStatus.RunningScan)], in place: Place
  ) -> [Line] {
    guard !scans.isEmpty else { return [] }
    let table = TextTable(
      columns: [
        .init(title: "SECTOR", alignsRight: true), .init(title: "PASS", rank: 1, alignsRight: true),
        .init(title: "RUNS FOR", alignsRight: true),
        .init(title: place == .system ? "FOR" : "ON", least: 6),
      ],
      rows: scans.sorted { $0.scan.seconds > $1.scan.seconds }.map { system, scan in
        TextTable.Row(cells: [
          "\(scan.sector)", "\(scan.pass + 1)",
          Duration.seconds(scan.seconds).inTenths + " s",
          place == .system ? client(scan) : system,
        ])
      })
    return [blank] + lines(table)
  }

  private func client(_ scan: SystemStatus.RunningScan) -> String {
    let engagement = view.engagement(scan.run)
    return engagement.map { "\(scan.client), \($0.summary.name)" } ?? scan.client
  }

  private var blank: Line { Line(text: "") }

  private func heading(_ text: String) -> Line {
    Line(text: StyledText(text), emphasis: .heading)
  }

  private func fields(_ fields: [(name: String, text: String)]) -> [Line] {
    fields.map { name, text in
      let label = StyledText(name.padded(to: 10) + "  ", .faint)
      return Line(
        text: label + StyledText(bars: text.showingControls.cutAtWord(to: max(1, columns - 12))))
    }
  }

  private func lines(_ table: TextTable) -> [Line] {
    table.lines(columns: columns).map { Line(text: $0) }
  }
}
