package import SkyNetCore
import Synchronization

/// The engagements that run in this process, for heartbeats and metrics, which tell how far they are.
package final class RunningEngagements: Sendable {
  private let progresses = Mutex<[RunProgress]>([])

  func add(_ progress: RunProgress) { progresses.withLock { $0.append(progress) } }

  func remove(_ progress: RunProgress) {
    progresses.withLock { $0.removeAll { $0 === progress } }
  }

  /// A summary of each engagement.
  ///
  /// - Parameter client: the name of this process.
  package func summaries(at now: Instant, client: String) -> [EngagementSummary] {
    progresses.withLock { $0 }.map { $0.summary(at: now, client: client) }
  }
}

/// How far one engagement is. The engagement writes it, and its connections read it, from any thread.
package final class RunProgress: Sendable {
  private let run: RunID
  private let name: String
  private let passes: [String]
  private let estimate: Mutex<ProgressEstimate>
  /// The name of the part that a growing job has added last.
  private let part = Mutex("")

  init(_ run: RunID, of job: any AnyJob, at now: Instant) {
    self.run = run
    name = job.name
    passes = job.passes.map(\.name)
    estimate = Mutex(
      ProgressEstimate(sectors: job.sectorCount, weights: job.passes.map(\.weight), at: now))
  }

  /// A growing job has added a part.
  func grew(by part: JobPart, expectedParts: Int?) {
    change { $0.grew(by: part.sectors.count, expectedParts: expectedParts) }
    self.part.withLock { $0 = part.name }
  }

  func change(_ body: (inout ProgressEstimate) -> Void) { estimate.withLock { body(&$0) } }

  func summary(at now: Instant, client: String) -> EngagementSummary {
    let estimate = estimate.withLock { $0 }
    return EngagementSummary(
      run: run, name: name, client: client, sectors: estimate.sectors,
      completed: estimate.completed, failed: estimate.failed, rate: estimate.rate(at: now),
      secondsLeft: estimate.secondsLeft(at: now),
      pass: estimate.parts > 0 ? partText(estimate) : estimate.passText(passes))
  }

  /// `41 of 300 done, now night/a.fits`
  private func partText(_ estimate: ProgressEstimate) -> String {
    let total = max(estimate.parts, estimate.expectedParts ?? 0)
    let text = "\(estimate.endedParts) of \(total) done, now \(part.withLock { $0 })"
    return PeerName.fitted(text, to: EngagementSummary.textLimit)
  }
}
