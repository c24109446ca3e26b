import SkyNetViews

/// The systems of a run as lines of a panel: a bar of the slots, the rate, tasks done, attempts tried again,
/// and what is wrong.
struct SystemLines {
  private struct Row {
    let name: String
    let bar: StyledText
    let rate: String
    let done: String
    let retried: String
    let trouble: StyledText?
    let isGone: Bool
  }

  /// The longest bar. A system with more slots has each of its columns stand for several.
  private static let longestBar = 8
  /// The columns that what is wrong should have, if possible.
  private static let troubleColumns = 18

  private let rows: [Row]
  /// The positions in `rows`, the most important first.
  private let ranking: [Int]
  private let barColumns: Int

  init(_ run: RunView, localSlots: Int, at now: Double) {
    let systems =
      run.systems.filter { $0.name == "local" } + run.systems.filter { $0.name != "local" }
    let slots = systems.map { $0.name == "local" ? localSlots : $0.slots }
    let barColumns = min(Self.longestBar, slots.max() ?? 0)
    let rates = systems.map { $0.steadyRate(at: now, began: run.began) }
    self.barColumns = barColumns
    // With several passes a sector is several tasks, and the head of the panel counts sectors.
    func done(_ tasks: Int) -> String {
      run.hasSeveralPasses ? "\(tasks) task\(tasks == 1 ? "" : "s")" : "\(tasks) done"
    }
    rows = zip(systems, zip(slots, rates)).map { system, figures in
      Row(
        name: system.name.showingControls,
        bar: Self.bar(system, slots: figures.0, columns: barColumns),
        rate: system.isGone ? "" : "\(FigureText.rate(figures.1))/s",
        done: done(system.tasks),
        retried: system.retried > 0 ? "\(system.retried) retried" : "",
        trouble: system.trouble(at: now).map {
          StyledText($0, system.isGone ? .faint : .doubtful)
        }, isGone: system.isGone)
    }
    ranking = systems.indices.sorted { left, right in
      let ranks = (Self.rank(systems[left]), Self.rank(systems[right]))
      if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
      return (rates[left], systems[left].tasks) > (rates[right], systems[right].tasks)
    }
  }

  /// Silent and paused systems come first, since the user may be able to help, and those that are gone last.
  private static func rank(_ system: SystemRow) -> Int {
    switch system.condition {
    case .silent, .paused: 0
    case .present, .leaving, .yielding: 1
    case .unsuited: 2
    case .gone: 3
    }
  }

  private static func bar(_ system: SystemRow, slots: Int, columns: Int) -> StyledText {
    if system.isGone { return StyledText(String(repeating: " ", count: columns)) }
    let cells = min(slots, columns)
    let busy = min(max(0, system.inFlight), slots)
    let filled = slots > 0 ? (busy * cells + slots - 1) / slots : 0
    return StyledText(String(repeating: "█", count: filled), .good)
      + StyledText(String(repeating: "░", count: cells - filled), .faint)
      + StyledText(String(repeating: " ", count: columns - cells))
  }

  // MARK: Lines

  /// At most this many lines.
  func lines(columns: Int, rows count: Int) -> [StyledText] {
    guard count > 0, !rows.isEmpty else { return [] }
    guard rows.count > count else { return table(rows, columns: columns) }
    guard count > 1 else {
      return [StyledText("  \(rows.count) systems".cutAtWord(to: columns))]
    }
    // The busiest ones in their usual order, so that lines do not change places all the time.
    let shown = ranking.prefix(count - 1).sorted().map { rows[$0] }
    let hidden = ranking.dropFirst(count - 1).map { rows[$0] }
    return table(shown, columns: columns) + [more(hidden, columns: columns)]
  }

  private func more(_ hidden: [Row], columns: Int) -> StyledText {
    let gone = hidden.count(where: \.isGone)
    let text = "  and \(hidden.count) more" + (gone > 0 ? ", \(gone) of them gone" : "")
    return StyledText(text.cutAtWord(to: columns))
  }

  private func table(_ rows: [Row], columns: Int) -> [StyledText] {
    func width(_ text: KeyPath<Row, String>) -> Int {
      rows.map { $0[keyPath: text].columns }.max() ?? 0
    }
    let names = min(width(\.name), max(8, columns / 4))
    let gap = columns >= 60 ? 2 : 1
    let trouble = min(Self.troubleColumns, rows.compactMap { $0.trouble?.columns }.max() ?? 0)
    var room = columns - (columns >= 30 ? 2 : 0) - names - (trouble > 0 ? gap + trouble : 0)
    /// Whether a column finds room; it takes it then.
    func take(_ width: Int) -> Bool {
      guard width > 0, room >= gap + width else { return false }
      room -= gap + width
      return true
    }
    let hasBar = take(barColumns)
    let done = take(width(\.done)) ? width(\.done) : 0
    let rate = take(width(\.rate)) ? width(\.rate) : 0
    let retried = take(width(\.retried)) ? width(\.retried) : 0
    let space = StyledText(String(repeating: " ", count: gap))
    return rows.map { row in
      var line = StyledText((columns >= 30 ? "  " : "") + row.name.cut(to: names).padded(to: names))
      if hasBar { line += space + row.bar }
      if rate > 0 { line += space + StyledText(row.rate.indented(to: rate)) }
      if done > 0 { line += space + StyledText(row.done.indented(to: done)) }
      if retried > 0, !row.retried.isEmpty || row.trouble != nil {
        line += space + StyledText(row.retried.indented(to: retried))
      }
      if let trouble = row.trouble, columns - line.columns - gap >= 4 {
        let text = trouble.text.cutAtWord(to: columns - line.columns - gap)
        line += space + StyledText(text, trouble.parts.first?.style ?? .plain)
      }
      return line.prefix(columns: columns)
    }
  }
}
