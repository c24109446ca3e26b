import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// What a run says last on a terminal: whether all is well, what was done, and how fast.
struct LastWords {
  let run: RunView
  /// The counts that the summary has.
  let tally: Tally
  /// What the parts of the run are called.
  var words = RunWords()
  /// How many slots this process's own system has.
  let localSlots: Int
  /// Whether a signal ended the run before its job.
  var wasStopped = false
  /// Whether something other than a sector failed.
  var hasFailed = false

  /// The line. In a narrow window it has less to say.
  func line(columns: Int) -> StyledText {
    let steps = Steps(run, words)
    let isGood =
      !wasStopped && !hasFailed && tally.completed == tally.total && steps.failed == 0
    var text = "\(isGood ? "✓" : "✗") \(result(steps, isGood: isGood))"
    for figure in figures(steps) where text.columns + 2 + figure.columns <= columns {
      text += ", \(figure)"
    }
    return StyledText(text, isGood ? .good : .bad)
  }

  private func result(_ steps: Steps, isGood: Bool) -> String {
    let total = "\(steps.total) \(steps.total == 1 ? steps.names.one : steps.names.many)"
    let done = "\(steps.ended - steps.failed) of \(total) done"
    if wasStopped { return "stopped with \(done)" }
    if steps.failed > 0 { return "\(steps.failed) of \(total) failed" }
    guard isGood else { return hasFailed ? "\(done), with errors" : done }
    return steps.total == 0 ? "nothing was to be done" : "\(total) done"
  }

  // MARK: Figures

  /// What else there is to say, the most important first.
  private func figures(_ steps: Steps) -> [String] {
    let (now, seconds) = (tally.completed - tally.restoredCount, tally.elapsed.inSeconds)
    let areParts = steps.total > 0 && tally.total != steps.total
    var figures = areParts ? ["\(tally.completed) sectors"] : []
    if tally.restoredCount > 0 {
      figures.append("\(now == 0 ? "all" : "\(tally.restoredCount)") of them before")
    }
    guard now > 0, seconds > 0 else { return figures }
    figures.append(Self.pace(Double(now) / seconds))
    if let factor = Self.speedUp(run.systems, localSlots: localSlots, seconds: seconds) {
      figures.append("\(FigureText.rate(factor)) times one system alone")
    }
    return figures
  }

  /// `11.8 a second`, or by the minute or the hour where that would be less than one.
  static func pace(_ perSecond: Double) -> String {
    if perSecond >= 1 { return "\(FigureText.rate(perSecond)) a second" }
    return perSecond >= 1.0 / 60
      ? "\(FigureText.rate(60 * perSecond)) a minute"
      : "\(FigureText.rate(3600 * perSecond)) an hour"
  }

  /// How many times as long one system alone would have taken: the tasks of all systems, each as long as that system's
  /// took on the average, on its slots. Failed attempts are not counted. The one system is this process's own, or the
  /// one with the most tasks if the own had none.
  ///
  /// `nil` if fewer than two systems did any task, or if the run took less than a second, which says little.
  static func speedUp(_ systems: [SystemRow], localSlots: Int, seconds: Double) -> Double? {
    let working = systems.filter { $0.tasks > 0 }
    guard working.count > 1, seconds >= 1,
      let one = working.first(where: { $0.name == "local" })
        ?? working.max(by: { $0.tasks < $1.tasks })
    else { return nil }
    let slots = one.name == "local" ? localSlots : one.slots
    guard slots > 0, one.scanSeconds > 0 else { return nil }
    let tasks = working.reduce(0) { $0 + $1.tasks }
    let alone = Double(tasks) * one.scanSeconds / Double(one.tasks) / Double(slots)
    return alone / seconds
  }
}
