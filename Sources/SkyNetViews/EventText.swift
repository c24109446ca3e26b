package import SkyNetCluster
import SkyNetCore

/// A run's events as lines of text, which people and scripts read.
package enum EventText {
  /// The line for an event; `nil` for events that are shown in another way, or not at all.
  ///
  /// - Parameter part: the name of the part that the event's task belongs to; `nil` if its job does not grow.
  package static func text(_ event: EngagementEvent, of part: String? = nil) -> String? {
    switch event {
    case .began, .extended, .grew, .partEnded, .added, .finished, .handedOut, .attemptEnded,
      .passCompleted,
      .completed,
      .restored, .passRestored, .silent, .heard, .resumed:
      nil
    case .retried(let task, let failure):
      "re-run \(sector(task.sector, of: part)): \(text(failure))"
    case .failed(let failure): gaveUp(failure)
    case .restoredFailure(let failure): gaveUp(failure, when: " in an earlier process")
    case .connected(let system): "connected \(system.name)"
    case .renamed(let system, let former): renamed(system, from: former)
    case .paused(let name, let failures, let duration): paused(name, failures, duration)
    case .disconnected(let system, let reason): disconnected(system.name, reason)
    case .unsuited(let name, let reason): unsuited(name, reason)
    case .full(let name, let reason):
      "\(name) has no room for another scan, and gets fewer at a time until it has: \(reason)"
    case .held(let name, let seconds):
      "what \(name ?? "an earlier process") began \(name == nil ? "elsewhere " : "")may go on for "
        + "\(Int(seconds.rounded(.up))) s, and its sectors wait for that"
    case .leaving(let name, let client): leaving(name, by: client)
    case .yielding(let name, let nodeSlots, let slots):
      "\(name) runs on this machine: its \(count(nodeSlots, "slot")) \(nodeSlots == 1 ? "is" : "are") used instead of "
        + "\(slots) of this command; --slots N uses both"
    case .serving: "this machine's own slots scan again"
    case .helping(let client): "helping \(client)"
    case .helped(let client): "helped \(client)"
    case .waitingForSystem(let patience, let leaving, let unsuited):
      waiting(patience, leaving, unsuited)
    case .stalled(let attempts, let count, let silence): stalled(attempts, of: count, silence)
    }
  }

  /// A sector for people: its number alone, or with the part of a growing job that it belongs to. A part may be called 2,
  /// and `1 of 2` would be read as progress.
  package static func sector(_ number: Int, of part: String?) -> String {
    part.map { "sector \(number) of '\($0)'" } ?? "\(number)"
  }

  package static func unsuited(_ name: String, _ reason: String) -> String {
    "\(name) gets nothing of this run: \(reason)"
  }

  package static func renamed(_ system: RemoteSystem, from former: String) -> String {
    "\(former) is \(system.name) from now on: another system has the same name"
  }

  package static func disconnected(_ name: String, _ reason: String) -> String {
    "disconnected \(name): \(reason)"
  }

  package static func leaving(_ name: String, by client: String? = nil) -> String {
    "\(name) takes nothing new" + (client.map { ": drained by \($0)" } ?? "")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// How many sectors a line names one by one.
  private static let namedSectors = 10

  /// What became of the attempts that were lost with a system, for the end of its line; empty if none was.
  static func lost(_ sectors: [Int], areHandedOut: Bool) -> String {
    guard !sectors.isEmpty else { return "" }
    let sorted = sectors.sorted()
    let named = sorted.prefix(namedSectors).map(String.init).joined(separator: ", ")
    let more = sorted.count - namedSectors
    let one = sorted.count == 1
    return "; \(sorted.count) sector\(one ? "" : "s") \(one ? "is" : "are") "
      + (areHandedOut ? "handed out again" : "left undone")
      + ": \(named)" + (more > 0 ? " and \(more) more" : "")
  }

  /// The line for a system that is paused; `nil` if the pause is brief, or a line has said so already.
  private static func paused(_ name: String, _ failures: Int, _ duration: Duration) -> String? {
    let pause = "paused \(name) for \(duration.inTenths) s while there are others: "
    return switch failures {
    case 0: pause + "its last process died young"
    // The pauses double from a tenth of a second on. People hear of them once, when they matter.
    case _ where (.seconds(1)..<(.seconds(2))).contains(duration):
      pause + "it failed \(failures) times in a row"
    default: nil
    }
  }

  private static func stalled(
    _ attempts: [EngagementEvent.StalledAttempt], of count: Int, _ silence: Duration
  ) -> String {
    guard count > 0 else {
      return "no scan has ended for \(silence.inTenths) s, and none runs: what is left waits for a "
        + "system that is paused or full, or for its time to be tried again"
    }
    let named = attempts.map { attempt in
      let place = "sector \(attempt.handout.task.sector) on \(attempt.handout.system)"
      return attempt.ran.map { "\(place) runs for \($0.inTenths) s" }
        ?? "\(place) was handed out \(attempt.age.inTenths) s ago, and is not known to have begun"
    }
    let others = count - attempts.count
    return "no scan has ended for \(silence.inTenths) s: \(named.joined(separator: ", "))"
      + (others > 0 ? ", and \(others) more" : "")
      + "; --scan-timeout S has scans that run for longer than S seconds tried elsewhere"
  }

  private static func waiting(
    _ patience: Duration?, _ leaving: [String], _ unsuited: [String]
  ) -> String {
    var present: [String] = []
    if !leaving.isEmpty {
      present.append(
        "\(leaving.count) system\(leaving.count == 1 ? " is" : "s are") "
          + "\(patience == nil ? "drained or leaving" : "leaving") "
          + "(\(leaving.joined(separator: ", ")))")
    }
    if !unsuited.isEmpty {
      present.append("\(unsuited.joined(separator: ", ")) cannot scan this")
    }
    return "no system is left that takes sectors"
      + (present.isEmpty ? "" : ": " + present.joined(separator: ", "))
      + "; waiting "
      + (patience.map { "\($0.inTenths) s for one" }
        ?? "for one, or for `\(ProgramName.text) undrain`")
  }

  private static func gaveUp(_ failure: SectorFailure, when: String = "") -> String {
    let place = sector(failure.sector, of: failure.part)
    // A part that could not be begun had no attempt, and its reason may name it.
    if let part = failure.part, failure.attempts == 0, let failed = failure.failures.last {
      let isNamed = failed.reason.hasPrefix("\(part): ")
      return "gave up \(isNamed ? "\(failure.sector)" : place)\(when): \(failed.reason)"
    }
    return "gave up \(place)\(when) after \(count(failure.attempts, "attempt")): "
      + reasons(failure.failures)
  }

  /// Every reason, in the order of the attempts. Equal ones are named once, with their count.
  private static func reasons(_ failures: [FailedAttempt]) -> String {
    var counts: [FailedAttempt: Int] = [:]
    for failure in failures { counts[failure, default: 0] += 1 }
    return failures.compactMap { failure in
      guard let count = counts.removeValue(forKey: failure) else { return nil }
      return text(failure) + (count > 1 ? " (\(count) times)" : "")
    }.joined(separator: "; ")
  }

  private static func text(_ failure: FailedAttempt) -> String {
    "failed on \(failure.system): \(failure.reason.inOneLine)"
  }
}

extension String {
  /// The first of several lines and the last, which says most of what a program wrote to standard error. A text of one
  /// line stays as it is.
  var inOneLine: String {
    // Nearly every reason is one line of ASCII. To find that out by its characters would take longer than its task.
    guard utf8.contains(where: { (0x0A...0x0D).contains($0) || $0 >= 0x80 }) else { return self }
    let lines = split(whereSeparator: \.isNewline)
    guard lines.count > 1 else { return self }
    return "\(lines[0].prefix(200)) … \(lines[lines.count - 1].prefix(300))"
  }
}
