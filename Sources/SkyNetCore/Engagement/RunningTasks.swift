/// The tasks of a growing job that are being scanned, for the part of their work that is done before they end.
///
/// Where a task is a whole image, and few are scanned at a time, the work of those that have ended jumps. With the
/// part of the running ones it grows as the work goes on.
struct RunningTasks: Sendable {
  private struct Running {
    let began: Instant
    var attempts = 1
  }

  private var tasks: [TaskID: Running] = [:]

  /// An attempt was handed out. A hedge does its task's work once more, which brings nothing nearer.
  mutating func began(_ task: TaskID, at now: Instant) {
    if tasks[task] == nil {
      tasks[task] = Running(began: now)
    } else {
      tasks[task]?.attempts += 1
    }
  }

  /// An attempt came back, with an output or without.
  mutating func cameBack(_ task: TaskID) {
    guard let running = tasks[task] else { return }
    tasks[task]?.attempts -= 1
    if running.attempts == 1 { tasks[task] = nil }
  }

  /// The task's output was taken, so its other attempts bring nothing.
  mutating func done(_ task: TaskID) { tasks[task] = nil }

  /// The work that is done of the tasks, and the time until the last of them ends, both in seconds. A task that
  /// takes longer than others of its pass counts as almost done.
  ///
  /// - Parameter cost: how long a task of a pass takes.
  func estimate(at now: Instant, cost: (_ pass: Int) -> Double) -> (done: Double, left: Double) {
    var (done, left) = (0.0, 0.0)
    for (task, running) in tasks {
      let cost = cost(task.pass)
      let spent = min(cost, max(0, running.began.duration(to: now).inSeconds))
      done += spent
      left = max(left, cost - spent)
    }
    return (done, left)
  }
}
