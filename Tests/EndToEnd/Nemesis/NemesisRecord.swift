import Synchronization

/// A record of the faults and their effects, for people.
final class NemesisRecord: Sendable {
  private struct State {
    var faults: [NemesisPlan.Fault: Int] = [:]
    var story: [String] = []
    var wrong: [String] = []
    var givenUp: [String] = []
    var reasons: [String: Int] = [:]
    var counts: [String: Int] = [:]
    var peakMemory = 0
  }

  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// The violations that were found.
  var wrong: [String] { state.withLock { $0.wrong } }
  /// The most memory that any coordinator used, in KiB.
  var peakMemory: Int { state.withLock { $0.peakMemory } }
  /// Every event, with its time.
  var story: [String] { state.withLock { $0.story } }

  func injected(_ victim: String, _ scheduled: NemesisPlan.ScheduledFault) {
    tell("\(scheduled.fault.rawValue) \(victim) for \(scheduled.lasting)")
    state.withLock { $0.faults[scheduled.fault, default: 0] += 1 }
  }

  func wrong(_ what: String) {
    tell("WRONG: \(what)")
    state.withLock { $0.wrong.append(what) }
  }

  func tell(_ what: String) {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    state.withLock { $0.story.append("\(seconds.digits(2)) \(what)") }
  }

  /// Records the end of an engagement.
  func ended(_ outcome: Outcome, _ summary: Summary?) {
    state.withLock { state in
      state.counts["engagements", default: 0] += 1
      state.counts["sectors", default: 0] += outcome.results.count
      state.counts["failed", default: 0] += summary?.failed ?? 0
      state.counts["retried", default: 0] += summary?.retried ?? 0
      if summary == nil { state.counts["without a system to begin", default: 0] += 1 }
      for line in outcome.results {
        guard let failures = line.error else { continue }
        let reasons = failures.map { "\($0.system): \($0.reason)" }.joined(separator: "; ")
        state.givenUp.append("sector \(line.sector), \(line.attempts) attempts: \(reasons)")
      }
      for line in outcome.errors { state.reasons[Self.pattern(line), default: 0] += 1 }
    }
  }

  /// Records the end of a scan of the image.
  func scannedImage(_ outcome: Outcome) {
    state.withLock { state in
      state.counts["scans of an image", default: 0] += 1
      if outcome.status != 0 { state.counts["of an image that changed", default: 0] += 1 }
    }
  }

  func used(memory: Int) { state.withLock { $0.peakMemory = max($0.peakMemory, memory) } }

  /// The figures, one line for each kind.
  var figures: [String] {
    state.withLock { state in
      func text<Key: Comparable>(_ counts: [Key: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      }
      return [
        "faults: \(text(state.faults))", "engagements: \(text(state.counts))",
        "coordinators' memory: at most \(Memory.text(state.peakMemory))",
      ] + state.givenUp.map { "given up: \($0)" } + ["what they said:"]
        + state.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "  \($0.value) × \($0.key)" }
    }
  }

  /// A line without the parts that differ between lines of its kind.
  private static func pattern(_ line: String) -> String {
    if line.contains(" sectors in ") { return "(summary)" }
    return line.replacing(/^(completed|re-run|gave up) \d+/) { "\($0.output.1) N" }
      .replacing(/^((dis)?connected|completed N by) [^ :]+/) { "\($0.output.1) X" }
      .replacing(/failed on [^ :]+/, with: "failed on X")
      .replacing(/; \d+ sectors? (is|are) .*/, with: "; N sectors are handed out again")
      .replacing(/[0-9]+(\.[0-9]+)*(:[0-9]+)?/, with: "#")
  }
}
