import SkyNetCluster
import SkyNetViews

extension SystemRow.Condition {
  /// The condition in a word, as in events.
  var word: String {
    switch self {
    case .present: "present"
    case .silent: "silent"
    // The page shows a system that yields as one that leaves, with its note.
    case .leaving, .yielding: "leaving"
    case .unsuited: "unsuited"
    case .paused: "paused"
    case .gone: "gone"
    }
  }

  /// What is wrong, for people; empty if nothing is. The page shows the word `gone` itself.
  func note(at time: Double) -> String {
    if case .gone(let reason) = self { reason } else { trouble(at: time) ?? "" }
  }
}

extension SystemRow {
  /// - Parameters:
  ///   - localSlots: the slots of this process's own system.
  ///   - began: when the run began.
  func write(to line: inout PlainJSON, row: Int, localSlots: Int, began: Double, at time: Double) {
    line.add(syntax: "{")
    line.add(key: "row", row, isFirst: true)
    line.add(key: "name", name)
    line.add(key: "address", address)
    line.add(key: "slots", name == "local" ? localSlots : slots)
    line.add(key: "version", version)
    line.add(key: "state", condition.word)
    line.add(key: "note", condition.note(at: time))
    line.add(key: "inFlight", inFlight)
    line.add(key: "completed", completed)
    line.add(key: "tasks", tasks)
    line.add(key: "retried", retried)
    line.add(key: "lost", lost)
    line.add(key: "rate", steadyRate(at: time, began: began))
    line.add(key: "latency", tasks > 0 ? scanSeconds / Double(tasks) : nil)
    line.add(key: "history")
    line.add(numbers: tasksPerSecond(at: time))
    line.add(syntax: "}")
  }
}
