public import Foundation
public import SkyNetCore

/// An event of an engagement, with its time and the counts after it.
public struct EngagementUpdate: Sendable {
  /// The run that the event belongs to.
  public let run: RunID
  /// When the event happened. Times of one process's events differ as a steady clock does: the wall clock is
  /// looked at once, when the run begins.
  public var time: Date { origin.addingTimeInterval(instant.sinceOrigin.inSeconds) }
  /// What happened.
  public let event: EngagementEvent
  /// The counts of the engagement, with this event in them.
  public let tally: Tally
  /// The name of the part that the event's task belongs to; `nil` if the job does not grow, or the event is about
  /// no task.
  public let part: String?
  /// The wall clock's time at the origin of the steady clock.
  private let origin: Date
  /// The steady clock's time. Few events are asked for their time as a date, and to make one is not free.
  private let instant: Instant

  package init(
    run: RunID, at instant: Instant, since origin: Date, event: EngagementEvent, tally: Tally,
    part: String? = nil
  ) {
    self.run = run
    self.instant = instant
    self.origin = origin
    self.event = event
    self.tally = tally
    self.part = part
  }

  package init(
    run: RunID, time: Date, event: EngagementEvent, tally: Tally, part: String? = nil
  ) {
    self.init(run: run, at: Instant(), since: time, event: event, tally: tally, part: part)
  }
}

extension EngagementUpdate {
  /// The version of the JSON of events, its member `v`. Members may be added without another version; a reader
  /// skips those that it does not know, and events that it does not know.
  public static let jsonVersion = 1

  /// The event as one line of JSON, without a line feed at its end. The page `docs/events.md` describes it.
  public var json: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds the line of ``json`` to bytes.
  ///
  /// - Parameter words: the run's. The name of a part is a member that is called as the part is.
  package func write(to bytes: inout [UInt8], in words: RunWords = RunWords()) {
    var line = PlainJSON(after: &bytes)
    writeHead(to: &line, event: event.jsonName)
    event.writeMembers(to: &line)
    if let part { line.add(word: words.part.one, part) }
    if case .finished = event {
      line.add(key: "sectors", tally.total)
      line.add(key: "completed", tally.completed)
      line.add(key: "failed", tally.failed)
      line.add(key: "retried", tally.retried)
      line.add(key: "restored", tally.restoredCount)
      line.add(key: "seconds", tally.elapsed.inSeconds)
    }
    line.add(syntax: "}")
    line.take(into: &bytes)
  }

  /// The line that says, just before this event, that a reader has lost this many events.
  package func json(reportingDropped count: Int) -> String {
    var line = PlainJSON()
    writeHead(to: &line, event: "dropped")
    line.add(key: "count", count)
    line.add(syntax: "}")
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private func writeHead(to line: inout PlainJSON, event: String) {
    line.add(syntax: "{")
    line.add(key: "v", Self.jsonVersion, isFirst: true)
    line.add(key: "time", time.timeIntervalSince1970)
    line.add(key: "run", hexadecimal: run.number)
    line.add(key: "event", event)
  }
}

extension EngagementEvent {
  var jsonName: String {
    switch self {
    case .began: "began"
    case .added: "added"
    case .extended: "extended"
    case .grew: "grew"
    case .partEnded: "part_ended"
    case .finished: "finished"
    case .handedOut(let handout): handout.isHedge ? "hedged" : "handed_out"
    case .attemptEnded: "attempt_ended"
    case .retried: "retried"
    case .passCompleted: "pass_completed"
    case .completed: "completed"
    case .failed: "failed"
    case .restored, .restoredFailure: "restored"
    case .passRestored: "pass_restored"
    case .connected: "connected"
    case .renamed: "renamed"
    case .disconnected: "disconnected"
    case .silent: "silent"
    case .heard: "heard"
    case .paused: "paused"
    case .resumed: "resumed"
    case .unsuited: "unsuited"
    case .full: "full"
    case .held: "held"
    case .leaving: "leaving"
    case .yielding: "yielding"
    case .serving: "serving"
    case .helping: "helping"
    case .helped: "helped"
    case .waitingForSystem: "waiting"
    case .stalled: "stalled"
    }
  }

  fileprivate func writeMembers(to line: inout PlainJSON) {
    switch self {
    case .began(let name, let sectors, let passes):
      line.add(key: "name", name)
      line.add(key: "sectors", sectors)
      line.add(key: "passes", passes)
    case .added(let tasks, let pass), .passRestored(let pass, let tasks):
      line.add(key: "pass", pass)
      line.add(key: "tasks", tasks)
    case .extended(let sectors):
      line.add(key: "first", sectors.lowerBound)
      line.add(key: "sectors", sectors.count)
    case .grew(let part, let expected):
      line.add(key: "part", part.number)
      line.add(key: "name", part.name)
      line.add(key: "first", part.sectors.lowerBound)
      line.add(key: "sectors", part.sectors.count)
      if let expected { line.add(key: "parts", expected) }
    case .partEnded(let part):
      line.add(key: "part", part.number)
      line.add(key: "name", part.name)
    case .finished(let reason): line.add(key: "reason", reason ?? "done")
    case .handedOut(let handout): line.add(handout)
    case .attemptEnded(let handout, let ending, let reason):
      line.add(handout)
      line.add(key: "ending", ending.rawValue)
      line.add(key: "reason", reason)
    case .retried(let task, let failure):
      line.add(task)
      line.add(key: "system", failure.system)
      line.add(key: "reason", failure.reason)
    case .passCompleted(let task, let system, let seconds):
      line.add(task)
      line.add(key: "system", system)
      line.add(key: "seconds", seconds)
    case .completed(let result), .restored(let result):
      line.add(result.task)
      line.add(key: "system", result.system)
      line.add(key: "attempts", result.attempts)
      line.add(key: "seconds", result.seconds)
    case .failed(let failure), .restoredFailure(let failure):
      line.add(failure.task)
      line.add(key: "attempts", failure.attempts)
      line.add(key: "seconds", failure.seconds)
      line.add(key: "error", failure.failures)
    case .connected(let system):
      line.add(key: "system", system.name)
      line.add(key: "address", system.address)
      line.add(key: "slots", system.slots)
      line.add(key: "version", system.version)
      line.add(key: "incarnation", "\(system.incarnation)")
    case .renamed(let system, let former):
      line.add(key: "system", system.name)
      line.add(key: "from", former)
    case .disconnected(let system, let reason):
      line.add(key: "system", system.name)
      line.add(key: "reason", reason)
    case .silent(let system, let silence):
      line.add(key: "system", system.name)
      line.add(key: "seconds", silence.inSeconds)
    case .heard(let system): line.add(key: "system", system.name)
    case .paused(let name, let failures, let duration):
      line.add(key: "system", name)
      line.add(key: "failures", failures)
      line.add(key: "seconds", duration.inSeconds)
    case .resumed(let name), .serving(let name): line.add(key: "system", name)
    case .leaving(let name, let client):
      line.add(key: "system", name)
      if let client { line.add(key: "by", client) }
    case .yielding(let name, let nodeSlots, let slots):
      line.add(key: "system", "local")
      line.add(key: "to", name)
      line.add(key: "nodeSlots", nodeSlots)
      line.add(key: "slots", slots)
    case .helping(let client), .helped(let client): line.add(key: "client", client)
    case .unsuited(let system, let reason), .full(let system, let reason):
      line.add(key: "system", system)
      line.add(key: "reason", reason)
    case .held(let system, let seconds):
      if let system { line.add(key: "system", system) }
      line.add(key: "seconds", seconds)
    case .waitingForSystem(let patience, let leaving, let unsuited):
      if let patience { line.add(key: "seconds", patience.inSeconds) }
      line.add(key: "leaving", leaving)
      line.add(key: "unsuited", unsuited)
    case .stalled(_, let count, let silence):
      line.add(key: "attempts", count)
      line.add(key: "seconds", silence.inSeconds)
    }
  }
}

extension PlainJSON {
  fileprivate mutating func add(_ task: TaskID) {
    add(key: "sector", task.sector)
    add(key: "pass", task.pass)
  }

  fileprivate mutating func add(_ handout: EngagementEvent.Handout) {
    add(handout.task)
    add(key: "attempt", handout.attempt)
    add(key: "system", handout.system)
  }

  /// Adds failed attempts as an array of objects with `system` and `reason`.
  package mutating func add(key: StaticString, _ attempts: [FailedAttempt]) {
    add(key: key)
    add(attempts) { line, attempt in
      line.add(syntax: "{")
      line.add(key: "system", attempt.system, isFirst: true)
      line.add(key: "reason", attempt.reason)
      line.add(syntax: "}")
    }
  }
}
