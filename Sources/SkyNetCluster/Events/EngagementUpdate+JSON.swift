import Foundation
import SkyNetCore

extension EngagementUpdate {
  /// The version of the JSON of events, its member `v`. Members may be added without another version; a reader
  /// skips those that it does not know, and events that it does not know.
  public static let jsonVersion = 1

  /// The event as one line of JSON, without a line feed at its end. The page `docs/events.md` describes it.
  public var json: String {
    var line = PlainJSON()
    write(to: &line)
    return String(decoding: line.bytes, as: UTF8.self)
  }

  /// Adds the line of ``json`` to bytes.
  package func write(to bytes: inout [UInt8]) {
    var line = PlainJSON(after: &bytes)
    write(to: &line)
    line.take(into: &bytes)
  }

  /// The line that says, just before this event, that a reader has lost this many events.
  package func json(reportingDropped count: Int) -> String {
    var line = PlainJSON()
    writeHead(to: &line, event: "dropped")
    line.add(["count"], [count])
    line.add(syntax: "}")
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private func writeHead(to line: inout PlainJSON, event: String) {
    line.add(syntax: #"{"v":"#)
    line.add(number: Self.jsonVersion)
    line.add(syntax: #","time":"#)
    line.add(microsecondsOf: time.timeIntervalSince1970)
    line.add(syntax: ",\"run\":\"")
    line.add(hexadecimal: run.number)
    line.add(syntax: "\",\"event\":")
    line.add(string: event)
  }

  private func write(to line: inout PlainJSON) {
    writeHead(to: &line, event: event.jsonName)
    event.writeMembers(to: &line)
    if case .finished = event {
      line.add(["sectors", "completed", "failed"], [tally.total, tally.completed, tally.failed])
      line.add(["retried", "restored"], [tally.retried, tally.restoredCount])
      line.add(key: "seconds", seconds: tally.elapsed.inSeconds)
    }
    line.add(syntax: "}")
  }
}

extension EngagementEvent {
  /// The event's name in JSON.
  var jsonName: String {
    switch self {
    case .began: "began"
    case .added: "added"
    case .finished: "finished"
    case .handedOut(let handout): handout.isHedge ? "hedged" : "handed_out"
    case .attemptEnded: "attempt_ended"
    case .retried: "retried"
    case .passCompleted: "pass_completed"
    case .completed: "completed"
    case .failed: "failed"
    case .restored, .restoredFailure: "restored"
    case .connected: "connected"
    case .disconnected: "disconnected"
    case .silent: "silent"
    case .heard: "heard"
    case .paused: "paused"
    case .resumed: "resumed"
    case .unsuited: "unsuited"
    case .leaving: "leaving"
    case .waitingForSystem: "waiting"
    case .stalled: "stalled"
    }
  }

  fileprivate func writeMembers(to line: inout PlainJSON) {
    switch self {
    case .began(let name, let sectors, let passes):
      line.add(key: "name", string: name)
      line.add(["sectors"], [sectors])
      line.add(key: "passes", strings: passes)
    case .added(let tasks, let pass): line.add(["pass", "tasks"], [pass, tasks])
    case .finished(let reason): line.add(key: "reason", string: reason ?? "done")
    case .handedOut(let handout): line.add(handout)
    case .attemptEnded(let handout, let ending, let reason):
      line.add(handout)
      line.add(key: "ending", string: ending.rawValue)
      line.add(key: "reason", string: reason)
    case .retried(let task, let failure):
      line.add(task)
      line.add(key: "system", string: failure.system)
      line.add(key: "reason", string: failure.reason)
    case .passCompleted(let task, let system, let seconds):
      line.add(task)
      line.add(key: "system", string: system)
      line.add(key: "seconds", seconds: seconds)
    case .completed(let result), .restored(let result): line.add(result)
    case .failed(let failure), .restoredFailure(let failure): line.add(failure)
    case .connected(let system): line.add(system, isNew: true)
    case .disconnected(let system, let reason):
      line.add(system)
      line.add(key: "reason", string: reason)
    case .silent(let system, let silence):
      line.add(system)
      line.add(key: "seconds", seconds: silence.inSeconds)
    case .heard(let system): line.add(system)
    case .paused(let name, let failures, let duration):
      line.add(key: "system", string: name)
      line.add(["failures"], [failures])
      line.add(key: "seconds", seconds: duration.inSeconds)
    case .resumed(let name), .leaving(let name): line.add(key: "system", string: name)
    case .unsuited(let system, let kind):
      line.add(system)
      line.add(key: "lacks", string: "\(kind)")
    case .waitingForSystem(let patience, let leaving, let unsuited):
      line.add(key: "seconds", seconds: patience.inSeconds)
      line.add(key: "leaving", strings: leaving)
      line.add(key: "unsuited", strings: unsuited)
    case .stalled(_, let count, let silence):
      line.add(["attempts"], [count])
      line.add(key: "seconds", seconds: silence.inSeconds)
    }
  }
}

extension PlainJSON {
  fileprivate mutating func add(_ keys: [StaticString], _ numbers: [Int]) {
    for (key, number) in zip(keys, numbers) {
      add(key: key)
      add(number: number)
    }
  }

  fileprivate mutating func add(key: StaticString) {
    add(syntax: ",\"")
    add(syntax: key)
    add(syntax: "\":")
  }

  fileprivate mutating func add(key: StaticString, string: String) {
    add(key: key)
    add(string: string)
  }

  fileprivate mutating func add(key: StaticString, strings: [String]) {
    add(key: key)
    add(syntax: "[")
    for (index, string) in strings.enumerated() {
      if index > 0 { add(syntax: ",") }
      add(string: string)
    }
    add(syntax: "]")
  }

  fileprivate mutating func add(key: StaticString, seconds: Double) {
    add(key: key)
    add(microsecondsOf: seconds)
  }

  fileprivate mutating func add(_ task: TaskID) {
    add(syntax: #","sector":"#)
    add(number: task.sector)
    add(syntax: #","pass":"#)
    add(number: task.pass)
  }

  fileprivate mutating func add(_ handout: EngagementEvent.Handout) {
    add(handout.task)
    add(syntax: #","attempt":"#)
    add(number: handout.attempt)
    add(key: "system", string: handout.system)
  }

  fileprivate mutating func add(_ result: SectorResult) {
    add(TaskID(pass: result.pass, sector: result.sector))
    add(key: "system", string: result.system)
    add(syntax: #","attempts":"#)
    add(number: result.attempts)
    add(key: "seconds", seconds: result.seconds)
  }

  fileprivate mutating func add(_ failure: SectorFailure) {
    add(TaskID(pass: failure.pass, sector: failure.sector))
    add(["attempts"], [failure.attempts])
    add(key: "seconds", seconds: failure.seconds)
    add(syntax: #","error":["#)
    for (index, attempt) in failure.failures.enumerated() {
      add(syntax: index > 0 ? #",{"system":"# : #"{"system":"#)
      add(string: attempt.system)
      add(key: "reason", string: attempt.reason)
      add(syntax: "}")
    }
    add(syntax: "]")
  }

  fileprivate mutating func add(_ system: RemoteSystem, isNew: Bool = false) {
    add(key: "system", string: system.name)
    guard isNew else { return }
    add(key: "address", string: system.address)
    add(["slots"], [system.slots])
    add(key: "version", string: system.version)
    add(key: "incarnation", string: "\(system.incarnation)")
  }
}
