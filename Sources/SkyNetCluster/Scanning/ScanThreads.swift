import DequeModule
import Foundation

/// Threads for scans, which may block them. Swift's own pool has one thread per core, and must stay free to
/// answer pings.
///
/// The threads start with the first job, wait for jobs without using the processor, and end when the last
/// reference to the executor is gone.
final class ScanThreads: TaskExecutor {
  private let queue: JobQueue

  init(count: Int) {
    queue = JobQueue(threads: count)
  }

  deinit {
    queue.close()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    queue.add(UnownedJob(job), for: asUnownedTaskExecutor())
  }

  /// Has each thread run this once, as soon as it has no job. Threads that have not started have nothing to do it
  /// for.
  func onEach(_ errand: @escaping @Sendable () -> Void) { queue.give(errand) }
}

/// The jobs that wait for a thread, and the threads. A thread holds the queue and not the executor: an executor that its
/// own threads hold would never be freed.
///
/// `@unchecked Sendable`: the mutable properties are accessed only while `condition` is locked.
private final class JobQueue: @unchecked Sendable {
  private typealias Job = (job: UnownedJob, executor: UnownedTaskExecutor)

  private let condition = NSCondition()
  private let threads: Int
  private var hasStarted = false
  private var jobs: Deque<Job> = []
  private var isClosed = false
  /// What each thread is to do once, and how many there were before and with it.
  private var errand: @Sendable () -> Void = {}
  private var errandCount = 0
  /// How many threads sleep, and have not been woken.
  private var asleep = 0

  init(threads: Int) { self.threads = threads }

  func add(_ job: UnownedJob, for executor: UnownedTaskExecutor) {
    condition.lock()
    if !hasStarted { start() }
    jobs.append((job, executor))
    let wakes = asleep > 0
    if wakes { asleep -= 1 }
    condition.unlock()
    if wakes { condition.signal() }
  }

  private func start() {
    hasStarted = true
    for number in 1...threads {
      let thread = Thread { self.runJobs() }
      thread.start()
      // Linux accepts a name only once the thread runs.
      thread.name = "scan \(number)"
    }
  }

  func close() {
    condition.lock()
    isClosed = true
    condition.unlock()
    condition.broadcast()
  }

  func give(_ errand: @escaping @Sendable () -> Void) {
    condition.lock()
    guard hasStarted else { return condition.unlock() }
    self.errand = errand
    errandCount += 1
    asleep = 0
    condition.unlock()
    condition.broadcast()
  }

  func runJobs() {
    var errandsDone = 0
    while let next = next(&errandsDone) { next.job.runSynchronously(on: next.executor) }
  }

  private func next(_ errandsDone: inout Int) -> Job? {
    condition.lock()
    defer { condition.unlock() }
    while jobs.isEmpty {
      if isClosed { return nil }
      if errandsDone != errandCount {
        errandsDone = errandCount
        let errand = errand
        condition.unlock()
        errand()
        condition.lock()
        continue
      }
      asleep += 1
      condition.wait()
    }
    return jobs.removeFirst()
  }
}
