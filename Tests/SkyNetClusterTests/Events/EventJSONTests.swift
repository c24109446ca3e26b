import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster

@Suite("The JSON of events")
struct EventJSONTests {
  private let run = RunID(number: 0x9f86_d081_884c_7d65)

  private let words = RunWords(part: .init("image", "images"))

  private func members(of event: EngagementEvent, _ tally: Tally = Tally(total: 3)) throws
    -> [String: Any]
  {
    let line = line(
      EngagementUpdate(
        run: run, time: Date(timeIntervalSince1970: 1_763_884_929.25), event: event, tally: tally))
    #expect(!line.contains("\n"))
    let members = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(members["v"] as? Int == 1)
    #expect(members["time"] as? Double == 1_763_884_929.25)
    #expect(members["run"] as? String == "9f86d081884c7d65")
    return members
  }

  private func line(_ update: EngagementUpdate) -> String {
    var bytes: [UInt8] = []
    update.write(to: &bytes, in: words)
    return String(decoding: bytes, as: UTF8.self)
  }

  private var system: RemoteSystem {
    RemoteSystem(
      Hello(name: "b", incarnation: Incarnation(), slots: 8, timeout: .seconds(5), scans: []),
      name: "b", address: "10.0.0.1:4000")
  }

  @Test("A hand-out names the task, the attempt and the system, and a hedge is an event of its own")
  func handOuts() throws {
    let task = TaskID(pass: 1, sector: 7)
    let first = try members(of: .handedOut(.init(task: task, system: "b", attempt: 2)))
    #expect(first["event"] as? String == "handed_out")
    #expect(first["sector"] as? Int == 7)
    #expect(first["pass"] as? Int == 1)
    #expect(first["attempt"] as? Int == 2)
    #expect(first["system"] as? String == "b")
    let hedge = try members(of: .handedOut(.init(task: task, system: "b", isHedge: true)))
    #expect(hedge["event"] as? String == "hedged")
  }

  @Test("Sectors that the job adds are told by the first one and their number")
  func extended() throws {
    let event = try members(of: .extended(by: 7..<9))
    #expect(event["event"] as? String == "extended")
    #expect(event["first"] as? Int == 7 && event["sectors"] as? Int == 2)
  }

  @Test("Text from peers stays text, whatever characters it has")
  func escapes() throws {
    let reason =
      "a \"quoted\" back\\slash,\nline feed, \u{1B}[31m escape, 星 \u{A0}, \u{9B}2J, \u{7F} and \u{202E}"
    let failure = SectorFailure(
      sector: 3, failures: [FailedAttempt(system: "b", reason: reason)], attempts: 1, seconds: 0.5)
    let line = EngagementUpdate(
      run: RunID(), time: .now, event: .failed(failure), tally: Tally(total: 4)
    ).json
    #expect(
      line.unicodeScalars.allSatisfy {
        ![.control, .format].contains($0.properties.generalCategory)
      }, "\(line)")
    let members = try members(of: .failed(failure))
    let errors = try #require(members["error"] as? [[String: String]])
    #expect(errors == [["system": "b", "reason": reason]])
    #expect(members["seconds"] as? Double == 0.5)
  }

  @Test(
    "In a growing run, events about tasks name the part, and its beginning says which sectors it has"
  )
  func images() throws {
    let part = JobPart(number: 3, sectors: 12..<28, name: "night/a.fits", facts: "f")
    let grew = try members(of: .grew(part, expectedParts: 300))
    #expect(grew["event"] as? String == "grew" && grew["name"] as? String == "night/a.fits")
    #expect(grew["part"] as? Int == 3 && grew["first"] as? Int == 12)
    #expect(grew["sectors"] as? Int == 16 && grew["parts"] as? Int == 300)
    #expect(try members(of: .grew(part, expectedParts: nil))["parts"] == nil)
    let ended = try members(of: .partEnded(part))
    #expect(ended["event"] as? String == "part_ended" && ended["part"] as? Int == 3)
    let result = SectorResult(
      sector: 12, of: "night/a.fits", result: 5, system: "b", attempts: 2, seconds: 1.5)
    let failure = SectorFailure(
      sector: 12, part: "night/a.fits", failures: [], attempts: 2, seconds: 1.5)
    let task = TaskID(sector: 12)
    let handout = EngagementEvent.Handout(task: task, system: "b")
    for event in [
      EngagementEvent.handedOut(handout), .attemptEnded(handout, .failed, reason: "x"),
      .retried(task, FailedAttempt(system: "b", reason: "x")),
      .passCompleted(task, system: "b", seconds: 1), .completed(result), .restored(result),
      .failed(failure), .restoredFailure(failure),
    ] {
      #expect(event.task == task)
      let update = EngagementUpdate(
        run: run, time: .now, event: event, tally: Tally(total: 3), part: "night/a.fits")
      #expect(line(update).hasSuffix(#","image":"night/a.fits"}"#), "\(line(update))")
      #expect(update.json.hasSuffix(#","part":"night/a.fits"}"#), "\(update.json)")
    }
  }

  @Test("Every event has its name and its members")
  func names() throws {
    let handout = EngagementEvent.Handout(task: TaskID(sector: 1), system: "b")
    let result = SectorResult(sector: 1, result: 5, system: "b", attempts: 2, seconds: 1.5)
    let failure = SectorFailure(sector: 1, failures: [], attempts: 2, seconds: 1.5)
    let events: [(EngagementEvent, String, Set<String>)] = [
      (.began(name: "sky", sectors: 3, passes: ["a"]), "began", ["name", "sectors", "passes"]),
      (.added(tasks: 3, pass: 0), "added", ["tasks", "pass"]),
      (
        .finished(reason: nil), "finished",
        ["reason", "sectors", "completed", "failed", "retried", "restored", "seconds"]
      ),
      (
        .attemptEnded(handout, .lost, reason: "gone"), "attempt_ended",
        ["sector", "pass", "attempt", "system", "ending", "reason"]
      ),
      (
        .retried(TaskID(sector: 1), FailedAttempt(system: "b", reason: "x")), "retried",
        ["sector", "pass", "system", "reason"]
      ),
      (
        .passCompleted(TaskID(sector: 1), system: "b", seconds: 1), "pass_completed",
        ["sector", "pass", "system", "seconds"]
      ),
      (.completed(result), "completed", ["sector", "pass", "system", "attempts", "seconds"]),
      (.restored(result), "restored", ["sector", "pass", "system", "attempts", "seconds"]),
      (.failed(failure), "failed", ["sector", "pass", "attempts", "seconds", "error"]),
      (.restoredFailure(failure), "restored", ["sector", "pass", "attempts", "seconds", "error"]),
      (.passRestored(pass: 1, tasks: 3), "pass_restored", ["pass", "tasks"]),
      (
        .connected(system), "connected",
        ["system", "address", "slots", "version", "incarnation"]
      ),
      (.disconnected(system, reason: "x"), "disconnected", ["system", "reason"]),
      (.silent(system, for: .seconds(2)), "silent", ["system", "seconds"]),
      (.heard(system), "heard", ["system"]),
      (.paused("b", failures: 5, for: .seconds(2)), "paused", ["system", "failures", "seconds"]),
      (.resumed("b"), "resumed", ["system"]),
      (.leaving("b"), "leaving", ["system"]),
      (.leaving("b", by: "ada@lab"), "leaving", ["system", "by"]),
      (
        .yielding(to: "a", nodeSlots: 2, slots: 4), "yielding",
        ["system", "to", "nodeSlots", "slots"]
      ),
      (.serving("local"), "serving", ["system"]),
      (
        .unsuited("b", reason: "has no /data"), "unsuited", ["system", "reason"]
      ),
      (.full("b", reason: "no memory"), "full", ["system", "reason"]),
      (.held(system: "b", seconds: 14), "held", ["system", "seconds"]),
      (.held(system: nil, seconds: 14), "held", ["seconds"]),
      (
        .waitingForSystem(.seconds(9), leaving: ["b"], unsuited: []), "waiting",
        ["seconds", "leaving", "unsuited"]
      ),
      (.stalled([], of: 3, silence: .seconds(60)), "stalled", ["attempts", "seconds"]),
    ]
    for (event, name, expected) in events {
      let members = try members(of: event)
      #expect(members["event"] as? String == name)
      #expect(Set(members.keys) == expected.union(["v", "time", "run", "event"]), "\(name)")
    }
  }

  @Test("The line about dropped events has their number")
  func dropped() throws {
    let update = EngagementUpdate(
      run: run, time: .now, event: .resumed("b"), tally: Tally(total: 3))
    let line = update.json(reportingDropped: 12)
    let members = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(members["event"] as? String == "dropped")
    #expect(members["count"] as? Int == 12)
  }
}
