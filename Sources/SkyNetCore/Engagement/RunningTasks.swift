/// The tasks of a growing job that are being scanned, for the part of their work that is done before
/// they end: where a task is a whole part, the work of those that have ended grows by jumps.
struct RunningTasks: Sendable {
  /// The tasks, with how many attempts at them have not come back.
  private var tasks: [TaskID: (began: Instant, attempts: Int)] = [:]

  /// An attempt was handed out. A hedge does its task's work once more, which brings nothing nearer.
  mutating func began(_ task: TaskID, at now: Instant) {
    tasks[task, default: (now, 0)].attempts += 1
  }

  /// An attempt came back, with an output or without.
  mutating func cameBack(_ task: TaskID) {
    tasks[task]?.attempts -= 1
    if tasks[task]?.attempts == 0 { tasks[task] = nil }
  }

  /// The task's output was taken, so its other attempts bring nothing.
  mutating func done(_ task: TaskID) { tasks[task] = nil }

  /// - Parameter cost: how long a task of a pass takes, in seconds.
  func estimate(at now: Instant, cost: (_ pass: Int) -> Double) -> Estimate {
    var estimate = Estimate()
    for (task, running) in tasks {
      let cost = cost(task.pass)
      let spent = min(cost, max(0, running.began.duration(to: now).inSeconds))
      estimate.done += spent
      estimate.left.append(cost - spent)
    }
    estimate.left.sort()
    return estimate
  }

  struct Estimate {
    /// The work that is done of them, in seconds. A task that takes longer than others of its pass
    /// counts as about to end.
    var done = 0.0
    /// How long each of them still takes, in seconds, the shortest first.
    var left: [Double] = []

    /// The work of the tasks, in seconds.
    var work: Double { left.reduce(done, +) }

    /// How long it takes at least until no task is left, in seconds: at the end not all slots have something to do.
    ///
    /// - Parameters:
    ///   - waiting: how many tasks are to come after these. Each begins where one of these ends.
    ///   - cost: how long each of them takes.
    func end(after waiting: Int, each cost: Double) -> Double {
      let last = left.last ?? 0
      guard (1...max(1, left.count)).contains(waiting), !left.isEmpty else { return last }
      return max(last, left[waiting - 1] + cost)
    }
  }
}
