/// Decides how many nodes to ask Slurm for, from what is seen of the work and of the jobs, look by look.
///
/// As many as the tasks that are left would fill, and within the limits. New jobs are asked for at once. Waiting ones are
/// given up when a surplus has lasted for some looks, as work may pause between the passes of a scan (as Dask's
/// `Adaptive` does with its `wait_count`). Running ones are not ended: their nodes leave when they are idle. The least
/// number of nodes is kept by jobs of their own, whose nodes stay.
struct AdaptivePolicy {
  /// What is seen at a time.
  struct Observation {
    /// How many tasks all engagements have left; `nil` if no system tells.
    var tasksLeft: Int?
    /// The jobs of this cluster's nodes; also some that have ended.
    var jobs: [SlurmJob]
    /// The numbers of the jobs whose nodes are connected.
    var connected: Set<String> = []
    /// The numbers of the jobs whose nodes take no more work.
    var leaving: Set<String> = []
    /// How many tasks a node runs at a time, if there is one that tells.
    var slots: Int?
  }

  enum Action: Hashable {
    /// So many nodes that stay, and so many that leave when they are idle.
    case submit(staying: Int, leaving: Int)
    /// The jobs that wait and are not needed.
    case cancel([String])
    /// A job ended in another way than by leaving.
    case ended(String, state: String)
    /// This many jobs failed in a row, and no node has come of them.
    case giveUp(failures: Int, lastNumber: String)
  }

  /// For how many looks a surplus has to last.
  static let surplusLooks = 3
  /// How many jobs may fail in a row.
  static let mostFailures = 3

  let limits: ClosedRange<Int>
  /// The name of the jobs whose nodes stay.
  let stayingName: String

  /// How many nodes are wanted now.
  private(set) var wanted = 0
  /// How many tasks a node runs at a time.
  private var slots: Int
  private var tasksLeft = 0
  private var surplusCount = 0
  private var failures = 0
  /// The jobs whose end is known; `nil` before the first look.
  private var knownEnds: Set<String>?
  /// The jobs that were cancelled as not needed.
  private var cancelled: Set<String> = []

  init(limits: ClosedRange<Int>, slots: Int, stayingName: String) {
    self.limits = limits
    self.slots = slots
    self.stayingName = stayingName
  }

  mutating func saw(_ seen: Observation) -> [Action] {
    // If all nodes are gone, the work that was left is still there.
    tasksLeft = seen.tasksLeft ?? tasksLeft
    slots = seen.slots ?? slots
    let filled = tasksLeft / slots + (tasksLeft % slots > 0 ? 1 : 0)
    wanted = min(max(filled, limits.lowerBound), limits.upperBound)
    var actions = ends(seen)
    if failures >= Self.mostFailures { return actions }
    let jobs = seen.jobs.filter { $0.phase != .ended }
    let serving = jobs.filter { $0.phase != .suspended && !seen.leaving.contains($0.number) }
    let missing = min(wanted - serving.count, limits.upperBound - jobs.count)
    if missing > 0 {
      let staying = serving.count { $0.name == stayingName }
      let missingStaying = min(max(0, limits.lowerBound - staying), missing)
      actions.append(.submit(staying: missingStaying, leaving: missing - missingStaying))
    }
    surplusCount = jobs.count > wanted ? surplusCount + 1 : 0
    if surplusCount >= Self.surplusLooks {
      let surplus = jobs.filter { $0.phase == .pending && $0.name != stayingName }
        .suffix(jobs.count - wanted).map(\.id)
      if !surplus.isEmpty { actions.append(.cancel(surplus)) }
      cancelled.formUnion(surplus)
    }
    return actions
  }

  /// Takes the jobs that have ended since the last look.
  private mutating func ends(_ seen: Observation) -> [Action] {
    let ended = seen.jobs.filter { $0.phase == .ended && $0.state != "COMPLETING" }
    defer { knownEnds = Set(ended.map(\.id)) }
    if !seen.connected.isEmpty { failures = 0 }
    guard let knownEnds else { return [] }
    var actions: [Action] = []
    for job in ended where !knownEnds.contains(job.id) && cancelled.remove(job.id) == nil {
      if job.state != "COMPLETED" { actions.append(.ended(job.id, state: job.state)) }
      guard job.hasFailed, seen.connected.isEmpty else { continue }
      failures += 1
      if failures == Self.mostFailures {
        actions.append(.giveUp(failures: failures, lastNumber: job.number))
      }
    }
    return actions
  }
}
