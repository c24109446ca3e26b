/// How far an engagement is, how fast it goes, and how long it will take.
///
/// The rate is taken over the last five seconds. The time left is the time for the tasks that are left in
/// the present pass, at the pace of that window, and a share of the whole pass's time for each later pass, by
/// the weights that the job gives its passes. A task counts with the time that its scan took, and with 20 µs
/// for its way to a system and back, so that both long and empty scans give a pace.
///
/// In a growing job, each part that is to come counts as the mean of those that are there, and passes are not told
/// apart by weights, as the parts go through them one after the other.
package struct ProgressEstimate: Sendable {
  /// The counts of one pass.
  package struct Pass: Hashable, Sendable {
    /// How many tasks the job has added to the pass so far.
    package fileprivate(set) var tasks = 0
    /// How many of the tasks have brought their output.
    package fileprivate(set) var done = 0
    /// How many of these had brought it before this process began.
    fileprivate var restored = 0
    /// The work of the tasks done in this process, in seconds.
    fileprivate var work = 0.0

    fileprivate mutating func add(_ cost: Double) {
      done += 1
      work += cost
    }
  }

  private struct Sample {
    var at: Instant
    var work = 0.0
    var sectors = 0
  }

  private static let window = Duration.seconds(5)
  private static let sampleInterval = Duration.milliseconds(250)
  private static let overhead = 20e-6

  /// The number of sectors. It increases as a growing job adds parts.
  package private(set) var sectors: Int
  /// The parts of a growing job so far, those of them that have ended, and how many there will be, as far as that
  /// is known.
  package private(set) var parts = 0
  package private(set) var endedParts = 0
  package private(set) var expectedParts: Int?
  private let weights: [Double]
  /// The sectors with a result, and those that were given up, in this and earlier processes.
  package private(set) var completed = 0
  package private(set) var failed = 0
  /// The passes, by number. A job has few.
  package private(set) var passes: [Int: Pass] = [:]
  /// The pass whose task was done or added last.
  package private(set) var current = 0
  private var work = 0.0
  private var ended = 0
  private var samples: [Sample]

  /// - Parameter weights: how long each pass takes, in relation to the others; empty if that is not known.
  package init(sectors: Int, weights: [Double] = [], at now: Instant) {
    self.sectors = sectors
    self.weights = weights
    samples = [Sample(at: now)]
  }

  // MARK: Events

  /// The job has added this many tasks to a pass.
  package mutating func added(_ count: Int, toPass pass: Int) {
    passes[pass, default: Pass()].tasks += count
    current = max(current, pass)
  }

  /// A growing job has added a part of this many sectors.
  ///
  /// - Parameter expected: how many parts there will be, if that is known.
  package mutating func grew(by sectors: Int, expectedParts expected: Int?) {
    self.sectors += sectors
    parts += 1
    expectedParts = expected
  }

  /// A part of a growing job has ended, and all that follows from it is done.
  package mutating func partEnded() { endedParts += 1 }

  /// A task has brought its output, after a scan of this many seconds.
  ///
  /// - Parameter endsSector: whether the output completes the task's sector.
  package mutating func done(
    inPass pass: Int, seconds: Double, endsSector: Bool = false, at now: Instant
  ) {
    let cost = seconds + Self.overhead
    passes[pass, default: Pass()].add(cost)
    work += cost
    if endsSector {
      completed += 1
      ended += 1
    }
    sample(at: now)
  }

  /// This many tasks of a pass had brought their outputs in earlier processes.
  package mutating func restored(_ count: Int, inPass pass: Int) {
    passes[pass, default: Pass()].done += count
    passes[pass]?.restored += count
  }

  /// A sector had its result from an earlier process.
  package mutating func restoredSector() { completed += 1 }

  /// A sector was given up.
  package mutating func failed(wasRestored: Bool = false) {
    failed += 1
    if !wasRestored { ended += 1 }
  }

  private mutating func sample(at now: Instant) {
    guard let last = samples.last, last.at.duration(to: now) >= Self.sampleInterval else { return }
    samples.append(Sample(at: now, work: work, sectors: ended))
    // One sample from before the window stays, as the window's beginning.
    while samples.count > 1, samples[1].at.duration(to: now) >= Self.window {
      samples.removeFirst()
    }
  }

  // MARK: Figures

  /// The sectors per second that ended lately.
  package func rate(at now: Instant) -> Double {
    let first = start(at: now)
    let elapsed = first.at.duration(to: now).inSeconds
    return elapsed > 0 ? Double(ended - first.sectors) / elapsed : 0
  }

  /// How long the rest takes, in seconds; `nil` if nothing has been done lately that would tell.
  package func secondsLeft(at now: Instant) -> Double? {
    if completed + failed >= sectors, parts >= expectedParts ?? parts { return 0 }
    let first = start(at: now)
    let elapsed = first.at.duration(to: now).inSeconds
    let pace = (work - first.work) / elapsed
    guard elapsed > 0, pace > 0, let pass = passes[current] else { return nil }
    if parts > 0 { return workLeft / pace }
    let here = pass.done - pass.restored
    // Nothing of this pass is done yet: its tasks count as the mean of all earlier ones.
    let earlier = passes.values.reduce(0) { $0 + $1.done - $1.restored }
    let cost = here > 0 ? pass.work / Double(here) : work / Double(max(1, earlier))
    var left = 0.0
    for pass in passes.values { left += Double(max(0, pass.tasks - pass.done)) * cost }
    return (left + laterWork(each: cost, tasks: pass.tasks)) / pace
  }

  /// The work of a growing job that is left, in seconds.
  private var workLeft: Double {
    var (open, ofAll) = (0.0, 0.0)
    for pass in passes.values where pass.done > pass.restored {
      let cost = pass.work / Double(pass.done - pass.restored)
      open += Double(max(0, pass.tasks - pass.done)) * cost
      ofAll += Double(pass.tasks) * cost
    }
    let toCome = max(0, (expectedParts ?? parts) - parts)
    return open + Double(toCome) * ofAll / Double(parts)
  }

  /// The present pass in words, such as `pass 2 of 3, detection`; `nil` if there is only one.
  ///
  /// - Parameter names: the names of all passes that there may be.
  package func passText(_ names: [String]) -> String? {
    let count = max(names.count, current + 1)
    guard count > 1, parts == 0 else { return nil }
    let name = current < names.count ? ", \(names[current])" : ""
    return "pass \(current + 1) of \(count)\(name)"
  }

  /// The work of the passes that have no tasks yet.
  private func laterWork(each cost: Double, tasks: Int) -> Double {
    guard current < weights.count, weights[current] > 0 else { return 0 }
    let later = weights[(current + 1)...].reduce(0, +)
    return later / weights[current] * Double(tasks) * cost
  }

  /// The latest sample from before the window, or the first one.
  private func start(at now: Instant) -> Sample {
    samples.last { $0.at.duration(to: now) >= Self.window } ?? samples[0]
  }
}
