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
  private let isGrowing: Bool
  private let estimate: Mutex<ProgressEstimate>
  /// The name of the part of a growing job of which a task was handed out last.
  private let part = Mutex("")

  init(_ run: RunID, of job: any AnyJob, at now: Instant) {
    self.run = run
    name = job.name
    passes = job.passes.map(\.name)
    isGrowing = job.isGrowing
    estimate = Mutex(
      ProgressEstimate(sectors: job.sectorCount, weights: job.passes.map(\.weight), at: now))
  }

  /// A task of a growing job's part was handed out.
  func handedOut(_ task: TaskID, of part: String, at now: Instant) {
    change { $0.handedOut(task, at: now) }
    self.part.withLock { $0 = part }
  }

  func change(_ body: (inout ProgressEstimate) -> Void) { estimate.withLock { body(&$0) } }

  func summary(at now: Instant, client: String) -> EngagementSummary {
    let estimate = estimate.withLock { $0 }
    return EngagementSummary(
      run: run, name: name, client: client, sectors: estimate.sectors,
      completed: estimate.completed, failed: estimate.failed, rate: estimate.rate(at: now),
      secondsLeft: estimate.secondsLeft(at: now),
      pass: isGrowing ? currentPart : estimate.passText(passes),
      parts: isGrowing ? .init(estimate.parts) : nil)
  }

  /// `now survey/a.fits`, or `now …/a.fits` if the name is long; `nil` before the first attempt.
  private var currentPart: String? {
    let beginning = "now "
    let room = EngagementSummary.textLimit - beginning.utf8.count
    let name = part.withLock { $0 }
    return name.isEmpty ? nil : beginning + PeerName.fittedAtEnd(name, to: room)
  }
}
