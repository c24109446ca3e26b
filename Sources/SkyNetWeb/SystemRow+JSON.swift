import SkyNetCluster
import SkyNetViews

extension SystemRow.Condition {
  /// The condition in a word, as in events.
  var word: String {
    switch self {
    case .present: "present"
    case .silent: "silent"
    case .leaving: "leaving"
    case .unsuited: "unsuited"
    case .paused: "paused"
    case .gone: "gone"
    }
  }

  /// What is wrong, for people; empty if nothing is.
  func note(at time: Double) -> String {
    switch self {
    case .present: ""
    case .silent(let since): "silent for \(Int(max(0, time - since))) s"
    case .leaving: "leaving"
    case .unsuited(let kind): "does not offer \(kind)"
    case .paused(let until, let failures):
      (failures == 0
        ? "paused, its last process died young" : "paused after \(failures) failures in a row")
        + (until > time ? ", next try in \(Int((until - time).rounded(.up))) s" : "")
    case .gone(let reason): reason
    }
  }
}

extension SystemRow {
  /// - Parameter localSlots: the slots of this process's own system.
  func write(to line: inout PlainJSON, row: Int, localSlots: Int, at time: Double) {
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
    line.add(key: "failed", failed)
    line.add(key: "lost", lost)
    line.add(key: "rate", rate(at: time))
    line.add(key: "latency", tasks > 0 ? scanSeconds / Double(tasks) : nil)
    line.add(key: "history")
    line.add(numbers: tasksPerSecond(at: time))
    line.add(syntax: "}")
  }
}
