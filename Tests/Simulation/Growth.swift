import SkyNetCore

/// How a world's jobs grow: each begins with some of its sectors, and is given the others part by part.
struct Growth {
  /// The sectors that a job begins with.
  let first: Range<Int>
  /// The sectors of each part. A part may have none, such as an image that cannot be opened.
  let parts: [Range<Int>]
  /// Growing worlds take chance from a stream of their own, so that the others make what they always made.
  private var random: SplitMix64

  /// The longest time that a job takes to make a part, in seconds.
  static let longestWait = 90.0

  /// The growth of the world with this seed; `nil` if its jobs do not grow. Every seventh seed's do.
  init?(seed: UInt64, sectors: Int) {
    guard seed % 7 == 2 else { return nil }
    random = SplitMix64(seed: ~seed)
    first = 0..<(random.chance(0.7) ? 0 : Int.random(in: 0...sectors / 2, using: &random))
    var parts: [Range<Int>] = []
    var begin = first.upperBound
    while begin < sectors {
      let end = min(sectors, begin + Int.random(in: 0...max(1, sectors / 3), using: &random))
      parts.append(begin..<end)
      begin = end
    }
    self.parts = parts
  }

  /// How long the job takes to make its next part: mostly next to nothing, and now and then longer than any
  /// engagement waits for a system.
  mutating func wait() -> Duration {
    random.seconds(0...random.pick([0.001, 0.001, 0.001, 2, Self.longestWait]))
  }
}

extension World {
  /// The job is asked for its next part.
  mutating func requestPart(by number: Int) {
    coordinators[number].asksForPart()
    guard let wait = growth?.wait() else { return }
    schedule(.grew(coordinator: number), after: wait)
  }

  /// The job has its next part, or none is left.
  mutating func grew(_ number: Int) {
    guard let growth else { return }
    let part = coordinators[number].takePart(of: growth)
    guard let part else {
      return perform(coordinators[number].engagement.growthEnded(at: now), by: number)
    }
    guard coordinators[number].engagement.takesParts else {
      coordinators[number].refusesPart()
      let actions = coordinators[number].engagement.grew(
        by: [TaskRange(sectors: part)], at: now)
      let isIgnored = actions.isEmpty
      return coordinators[number].findings.check(isIgnored, "\(part) is not wanted, but taken")
    }
    let (tasks, stories) = coordinators[number].past.left(in: part)
    coordinators[number].added(tasks)
    coordinators[number].journal?.grew(by: part, at: now)
    perform(
      coordinators[number].engagement.grew(by: tasks, stories: stories, at: now), by: number)
  }
}

/// The ledger of a growing job.
extension SimulatedCoordinator {
  mutating func asksForPart() {
    findings.check(grows, "a part is asked of a job that does not grow")
    findings.check(end == nil && !isInterrupted, "a part is asked for after the end")
    findings.check(!isAsking, "a part is asked for twice")
    findings.check(!hasAllParts, "a part is asked for, and none is left")
    isAsking = true
  }

  /// The part that the job was asked for; `nil` if none is left.
  mutating func takePart(of growth: Growth) -> Range<Int>? {
    isAsking = false
    guard nextPart < growth.parts.count else {
      hasAllParts = true
      return nil
    }
    nextPart += 1
    return growth.parts[nextPart - 1]
  }

  /// The engagement does not take a part.
  mutating func refusesPart() {
    findings.check(
      end != nil || isInterrupted || !abandoned.isEmpty, "a part is not taken, without a reason")
  }

  /// Whether the engagement has come to the end of its job, for all that it knows.
  var isComplete: Bool { !isInterrupted && (!grows || hasAllParts) }

  /// A later pass of a part in progress goes before parts that were not begun, so that images finish.
  mutating func checkOrder(of attempt: Attempt) {
    guard grows, past.parts.isEmpty, attempt.task.pass == 0, attempt.ordinal == 1 else { return }
    let later = unended.filter { $0.pass > 0 && ordinals[$0] == nil }
    findings.check(later.isEmpty, "\(attempt.task) begins before \(later.sorted())")
  }
}
