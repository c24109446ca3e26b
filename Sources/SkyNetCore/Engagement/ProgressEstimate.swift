/// How fast an engagement goes, and how long it will take.
///
/// The time left is the time for the tasks that are left in the present pass, at the pace of the last five
/// seconds, and a share of the whole pass's time for each later pass, by the weights that the job gives its
/// passes. A task counts with the time that its scan took, and with 20 µs for its way to a system and back, so
/// that both long and empty scans give a pace.
///
/// In a growing job, each part that is to come counts as the mean of those that have ended. Its tasks may be few and
/// long. So the pace is that of the last ``roundsOfWindow`` rounds of scans if these take longer than five seconds,
/// and what has been done of the running scans counts.
package struct ProgressEstimate: Sendable {
  private struct Pass {
    /// How many tasks the job has added to the pass so far.
    var tasks = 0
    /// How many of the tasks have brought their output.
    var done = 0
    /// How many of these had brought it before this process began.
    var restored = 0
    /// The work of the tasks done in this process, in seconds.
    var work = 0.0

    /// The mean work of those tasks, in seconds; `nil` if there is none.
    var meanCost: Double? { done > restored ? work / Double(done - restored) : nil }
    /// How many of its tasks are left.
    var left: Double { Double(max(0, tasks - done)) }

    mutating func add(_ cost: Double) {
      done += 1
      work += cost
    }
  }

  private struct Sample {
    var at: Instant
    /// The work that was done, of running tasks too if the job grows.
    var work = 0.0
    var sectors = 0
  }

  private static let window = Duration.seconds(5)
  /// How many scans of the mean length the window has room for, one after the other. Scans that end at the same
  /// time make the pace wrong by one of them at most.
  private static let roundsOfWindow = 16.0
  private static let sampleInterval = Duration.milliseconds(250)
  private static let samplesOfWindow = 100
  private static let overhead = 20e-6

  /// The parts of a growing job.
  package private(set) var parts = PartProgress()
  private var running = RunningTasks()
  private let weights: [Double]
  /// The passes, by number. A job has few.
  private var passes: [Int: Pass] = [:]
  /// The last pass with tasks.
  private var current = 0
  /// The work of all tasks done in this process, in seconds.
  private var work = 0.0
  /// The number of sectors that ended in this process.
  private var ended = 0
  private var samples: [Sample]

  /// - Parameter weights: how long each pass takes, in relation to the others; empty if that is not known.
  package init(weights: [Double] = [], at now: Instant) {
    self.weights = weights
    samples = [Sample(at: now)]
  }

  // MARK: Events

  /// The job has added this many tasks to a pass.
  package mutating func added(_ count: Int, toPass pass: Int) {
    passes[pass, default: Pass()].tasks += count
    current = max(current, pass)
  }

  /// A growing job has added a part.
  ///
  /// - Parameter expected: how many parts there will be, if that is known.
  package mutating func grew(by part: JobPart, expectedParts expected: Int?) {
    parts.began(part, expected: expected)
  }

  package mutating func ended(_ part: JobPart) { parts.ended(part) }

  /// An attempt was handed out. This matters only if the job grows.
  package mutating func handedOut(_ task: TaskID, at now: Instant) { running.began(task, at: now) }

  package mutating func cameBack(_ task: TaskID) { running.cameBack(task) }

  /// A task has brought its output, after a scan of this many seconds.
  ///
  /// - Parameter endsSector: whether the output completes the task's sector.
  package mutating func done(
    _ task: TaskID, seconds: Double, endsSector: Bool = false, at now: Instant
  ) {
    let cost = seconds + Self.overhead
    passes[task.pass, default: Pass()].add(cost)
    work += cost
    if endsSector { ended += 1 }
    if isGrowing {
      running.done(task)
      parts.worked(cost, on: task.sector)
    }
    sample(at: now)
  }

  /// This many tasks of a pass had brought their outputs in earlier processes.
  package mutating func restored(_ count: Int, inPass pass: Int) {
    passes[pass, default: Pass()].done += count
    passes[pass]?.restored += count
  }

  /// A sector was given up, in this or in an earlier process.
  package mutating func failed(_ sector: Int, wasRestored: Bool = false) {
    parts.failed(sector)
    if !wasRestored { ended += 1 }
  }

  private mutating func sample(at now: Instant) {
    let window = window
    let interval = max(Self.sampleInterval, window / Self.samplesOfWindow)
    guard let last = samples.last, last.at.duration(to: now) >= interval else { return }
    samples.append(Sample(at: now, work: work + running(at: now).done, sectors: ended))
    // One sample from before the window stays, as the window's beginning.
    while samples.count > 1, samples[1].at.duration(to: now) >= window {
      samples.removeFirst()
    }
  }

  private var window: Duration {
    guard isGrowing, let cost = meanCost else { return Self.window }
    return max(Self.window, .seconds(Self.roundsOfWindow * cost))
  }

  private var isGrowing: Bool { parts.begun > 0 }

  /// The mean work of all tasks that this process has seen done, in seconds; `nil` if there is none.
  private var meanCost: Double? {
    let done = passes.values.reduce(0) { $0 + $1.done - $1.restored }
    return done > 0 ? work / Double(done) : nil
  }

  /// The mean work of a pass's tasks, in seconds; that of all tasks if none of the pass is done.
  private func cost(ofPass pass: Int) -> Double { passes[pass]?.meanCost ?? meanCost ?? 0 }

  private func running(at now: Instant) -> RunningTasks.Estimate {
    running.estimate(at: now) { cost(ofPass: $0) }
  }

  // MARK: Figures

  /// The sectors per second that ended lately.
  package func rate(at now: Instant) -> Double {
    let first = start(of: Self.window, at: now)
    let elapsed = first.at.duration(to: now).inSeconds
    return elapsed > 0 ? Double(ended - first.sectors) / elapsed : 0
  }

  /// How long the rest takes, in seconds; `nil` if nothing has been done lately that would tell.
  package func secondsLeft(at now: Instant) -> Double? {
    let first = start(of: window, at: now)
    let elapsed = first.at.duration(to: now).inSeconds
    let running = running(at: now)
    let pace = (work + running.done - first.work) / elapsed
    guard let cost = meanCost, elapsed > 0, pace > 0 else { return nil }
    guard isGrowing else { return workLeftOfPasses / pace }
    let left = workLeftOfParts
    let waiting = max(0, min(1e9, (left - running.work) / cost)).rounded()
    // At the end fewer tasks run than the pace was taken from.
    return max((left - running.done) / pace, running.end(after: Int(waiting), each: cost))
  }

  /// The work that is left of a job that does not grow, in seconds.
  private var workLeftOfPasses: Double {
    // Where nothing of this pass is done yet, its tasks count as the mean of all earlier ones.
    let cost = cost(ofPass: current)
    let left = passes.values.reduce(0) { $0 + $1.left } * cost
    guard let pass = passes[current], current < weights.count, weights[current] > 0 else {
      return left
    }
    // The passes that have no tasks yet.
    let later = weights[(current + 1)...].reduce(0, +)
    return left + later / weights[current] * Double(pass.tasks) * cost
  }

  /// The work of a growing job that is left, in seconds, with all of that of running tasks.
  private var workLeftOfParts: Double {
    if let mean = parts.meanWork {
      return parts.workLeft(mean: mean) + Double(parts.toCome) * mean
    }
    // No part has ended yet, so the tasks of those that have begun have to tell.
    let (open, all) = passes.reduce((0.0, 0.0)) { sums, pass in
      let cost = cost(ofPass: pass.key)
      return (sums.0 + pass.value.left * cost, sums.1 + Double(pass.value.tasks) * cost)
    }
    return open + Double(parts.toCome) * all / Double(parts.begun)
  }

  /// The present pass in words, such as `pass 2 of 3, detection`; `nil` if there is only one.
  ///
  /// - Parameter names: the names of all passes that there may be.
  package func passText(_ names: [String]) -> String? {
    let count = max(names.count, current + 1)
    guard count > 1, !isGrowing else { return nil }
    let name = current < names.count ? ", \(names[current])" : ""
    return "pass \(current + 1) of \(count)\(name)"
  }

  /// The latest sample from before the window, or the first one.
  private func start(of window: Duration, at now: Instant) -> Sample {
    samples.last { $0.at.duration(to: now) >= window } ?? samples[0]
  }
}
