import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// The panel of a run: its head, with the counts of the whole run, and a line for each system.
///
/// It fits a window of any size. Where there is little room, figures are left out, the least important ones
/// first, and of the systems the busiest are shown.
struct EngageView {
  /// How many slots this process's own system has.
  let localSlots: Int
  /// What the parts of the run are called.
  var words = RunWords()
  /// Whether the run finishes its running scans and ends.
  var isStopping = false

  /// The panel's lines at a time, in seconds since 1970.
  func lines(_ run: RunView, at now: Double, in window: WindowSize) -> [StyledText] {
    // The cursor is on the line below the panel.
    let room = window.rows - 1
    guard room > 0 else { return [] }
    var lines = [progress(run, at: now, columns: window.columns)]
    let figureLines = room == 1 ? 0 : room <= 5 ? 1 : 2
    lines += Self.flow(
      figures(run, at: now, columns: window.columns), columns: window.columns, lines: figureLines)
    let systems = SystemLines(run, localSlots: localSlots, at: now)
    return lines + systems.lines(columns: window.columns, rows: room - lines.count)
  }

  /// The least window in which parts that are being scanned are named.
  private static let leastColumnsOfNames = 30

  // MARK: Progress

  private func progress(_ run: RunView, at now: Double, columns: Int) -> StyledText {
    let steps = Steps(run, words)
    let counts = "\(columns >= 60 ? "completed " : "")\(steps.text)"
    // A run that stops leaves the rest undone.
    let isOver = isStopping || steps.isComplete
    let left = isOver ? nil : run.secondsLeft(at: now).map { FigureText.time($0) + " left" }
    let tail = isOver ? "" : left ?? "…"
    let gap = columns >= 60 ? 2 : 1
    let room = columns - counts.columns - gap - (tail.isEmpty ? 0 : tail.columns + gap)
    let space = StyledText(String(repeating: " ", count: gap))
    var line = StyledText(counts)
    // A bar of few columns says less than the numbers.
    if room >= 4 { line += space + Self.bar(steps, columns: min(40, room)) }
    if !tail.isEmpty { line += space + StyledText(tail) }
    guard line.columns > columns else { return line }
    return StyledText(line.text.cutAtWord(to: columns))
  }

  private static func bar(_ steps: Steps, columns: Int) -> StyledText {
    guard steps.total > 0 else {
      return StyledText(String(repeating: "█", count: columns), .good)
    }
    func share(_ count: Int) -> Int { columns * min(count, steps.total) / steps.total }
    let ended = share(steps.ended)
    // A single failure is to be seen too, even among a million sectors.
    let failed =
      steps.failed > 0 ? max(ended > 0 ? 1 : 0, ended - share(steps.ended - steps.failed)) : 0
    return StyledText(String(repeating: "█", count: ended - failed), .good)
      + StyledText(String(repeating: "▒", count: failed), .bad)
      + StyledText(String(repeating: "░", count: columns - ended), .faint)
  }

  // MARK: Figures

  /// The figures of the run, the most important ones first.
  private func figures(_ run: RunView, at now: Double, columns: Int) -> [StyledText] {
    let connected = run.systems.count { $0.name != "local" && !$0.isGone }
    let inFlight = run.inFlight
    var figures: [StyledText] = []
    if isStopping {
      figures.append(
        StyledText("stopping, \(inFlight) scan\(inFlight == 1 ? "" : "s") to wait for", .doubtful))
    }
    if let pass = run.pass { figures.append(StyledText(pass)) }
    figures += parts(run, columns: columns)
    figures += [
      StyledText("\(FigureText.rate(run.tasksPerSecond(at: now))) tasks/s"),
      StyledText("\(run.failed) failed", run.failed > 0 ? .bad : .plain),
      StyledText("\(run.retried) retried"),
      StyledText("\(FigureText.time(max(0, now - run.began), rounding: .down)) elapsed"),
    ]
    if !isStopping { figures.append(StyledText("\(inFlight) in flight")) }
    figures.append(Self.connection(run, connected, at: now, columns: columns))
    if run.hedged > 0 { figures.append(StyledText("\(run.hedged) hedged")) }
    return figures
  }

  /// How many systems are connected, with a light that moves while they help.
  private static func connection(
    _ run: RunView, _ connected: Int, at now: Double, columns: Int
  ) -> StyledText {
    guard connected > 0 else { return StyledText("not connected") }
    let isWide = columns >= 60
    let systems = "\(connected) system\(connected == 1 ? "" : "s")"
    guard run.systems.contains(where: isHelping) else {
      return StyledText("connected to \(systems)")
    }
    return StyledText((isWide ? "connected to " : "") + systems + " ")
      + HelpingLight.text(at: now, columns: isWide ? 5 : 3)
  }

  /// Whether another system runs scans now, as far as is known.
  private static func isHelping(_ system: SystemRow) -> Bool {
    guard system.name != "local", system.inFlight > 0 else { return false }
    return switch system.condition {
    case .silent, .gone: false
    case .present, .leaving, .yielding, .unsuited, .paused: true
    }
  }

  /// In a run of several parts, those that are being scanned, and the sectors of all.
  private func parts(_ run: RunView, columns: Int) -> [StyledText] {
    guard run.parts.begun > 0 else { return [] }
    // In the smallest windows counts tell more.
    let scanned = columns < Self.leastColumnsOfNames ? [] : run.partsInFlight
    let names = scanned.first.map { first in
      let more = scanned.count > 1 ? " and \(scanned.count - 1) more" : ""
      let room = (columns >= 60 ? columns / 2 : columns) - more.columns
      return StyledText(first.name.showingControls.cutAtStart(to: room) + more)
    }
    let sectors = StyledText("\(run.completed) of \(run.sectors) sectors")
    // Where each part is a sector, the parts say the same.
    return (names.map { [$0] } ?? []) + (run.sectors > run.parts.begun ? [sectors] : [])
  }

  /// The figures in lines. Those that find no room are left out.
  private static func flow(_ figures: [StyledText], columns: Int, lines count: Int) -> [StyledText]
  {
    let gap: StyledText = columns >= 60 ? "   " : "  "
    var lines: [StyledText] = []
    for figure in figures {
      if let last = lines.last, last.columns + gap.columns + figure.columns <= columns {
        lines[lines.count - 1] = last + gap + figure
      } else if lines.count < count {
        lines.append(figure.cutAtWord(to: columns))
      }
    }
    return lines
  }
}

/// What the progress of a run counts: its parts, or its sectors if it is no run of several parts.
struct Steps {
  let ended: Int
  let failed: Int
  let total: Int
  /// What they are called, one and several.
  let names: (one: String, many: String)
  let text: String
  let isComplete: Bool

  init(_ run: RunView, _ words: RunWords) {
    let parts = run.parts
    guard parts.begun > 0 else {
      (ended, failed, total) = (run.completed + run.failed, run.failed, run.sectors)
      names = ("sector", "sectors")
      text = "\(run.completed) of \(run.sectors)"
      isComplete = ended >= total
      return
    }
    (ended, failed, total) = (parts.ended, parts.failed, parts.total)
    names = (words.part.one, words.part.many)
    text = "\(ended - failed) of \(total) \(names.many)"
    // A run whose parts still come does not know how many there will be.
    isComplete = ended >= parts.expected ?? .max
  }
}
