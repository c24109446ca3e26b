/// Figures of a run in words, the same in every view.
package enum FigureText {
  /// `12.2`, or `250` from a hundred on.
  package static func rate(_ perSecond: Double) -> String {
    perSecond >= 99.95 ? "\(Int(min(perSecond, 1e12).rounded()))" : tenths(perSecond)
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((max(0, number) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// `9 s`, `2 min 5 s`, `3 h 20 min`.
  package static func time(_ seconds: Double, rounding: FloatingPointRoundingRule = .up) -> String {
    let seconds = Int(max(0, min(seconds, 1e9)).rounded(rounding))
    return seconds < 60
      ? "\(seconds) s"
      : seconds < 3600
        ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }
}

extension SystemRow.Condition {
  /// What is wrong, if anything: `silent for 3 s`.
  package func trouble(at time: Double) -> String? {
    switch self {
    case .present: nil
    case .silent(let since): "silent for \(FigureText.time(time - since, rounding: .down))"
    case .leaving(let client): client.map { "drained by \($0)" } ?? "leaving"
    case .yielding(let name): "leaves it to \(name)"
    case .unsuited(let reason): "gets nothing: \(reason)"
    case .paused(let until, let failures):
      (failures == 0
        ? "paused, its last process died young" : "paused after \(failures) failures in a row")
        + (until > time ? ", next try in \(FigureText.time(until - time))" : "")
    case .gone(let reason): "gone: \(reason)"
    }
  }
}

extension SystemRow {
  /// What is wrong with the system, if anything.
  package func trouble(at time: Double) -> String? { condition.trouble(at: time) }

  /// The tasks per second that it did lately: over five seconds, or over up to thirty if it does few, so that
  /// slow scans have a rate that stays. `began` is when the run began.
  package func steadyRate(at time: Double, began: Double) -> Double {
    func rate(_ seconds: Int) -> (tasks: Int, perSecond: Double) {
      let span = max(1, min(seconds, Int(time) - Int(began)))
      let tasks = tasksPerSecond(at: time, last: span).reduce(0, +)
      return (tasks, Double(tasks) / Double(span))
    }
    let brief = rate(5)
    return brief.tasks >= 10 ? brief.perSecond : rate(30).perSecond
  }
}
