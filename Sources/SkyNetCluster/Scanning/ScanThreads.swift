import Foundation
import Synchronization

/// Threads for scans, which may block them. Swift's own pool has a thread a core and must stay
/// free to answer pings.
///
/// The threads start with the first job, wait for jobs without using the processor, and end when
/// the last reference is gone.
final class ScanThreads: TaskExecutor {
  private let queue = JobQueue()
  private let count: Int
  private let hasStarted = Mutex(false)

  init(count: Int) {
    self.count = count
  }

  deinit {
    queue.close()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    startOnce()
    queue.add(UnownedJob(job), for: asUnownedTaskExecutor())
  }

  private func startOnce() {
    let isFirst = hasStarted.withLock { started in
      defer { started = true }
      return !started
    }
    guard isFirst else { return }
    for number in 1...count {
      // The thread holds the queue, not the executor, which would otherwise never go.
      let thread = Thread { [queue] in queue.runJobs() }
      thread.name = "scan \(number)"
      thread.start()
    }
  }
}

/// The jobs that wait for a thread.
///
/// `@unchecked Sendable`: all but `count`, which is atomic, is touched only while `condition` is
/// locked.
private final class JobQueue: @unchecked Sendable {
  private typealias Job = (job: UnownedJob, executor: UnownedTaskExecutor)

  /// To wake a thread takes longer than many a scan. So where jobs come one soon after another, a
  /// thread without one looks out for the next a little while before it sleeps.
  private static let lookout = Duration.microseconds(100)

  private let condition = NSCondition()
  private var jobs: [Job] = []
  private var head = 0
  private var isClosed = false
  /// Threads that sleep, and have not been woken.
  private var asleep = 0
  /// Whether a thread looks out; more than one would be in each other's way.
  private var isWatched = false
  /// Whether the last thread that waited did so for no longer than it may look out.
  private var isBusy = false
  /// Jobs that wait, to be looked at without the lock.
  private let count = Atomic<Int>(0)

  func add(_ job: UnownedJob, for executor: UnownedTaskExecutor) {
    condition.lock()
    jobs.append((job, executor))
    count.add(1, ordering: .releasing)
    // Who looks out sees it, and wakes another if there is more.
    let wakes = !isWatched && asleep > 0
    if wakes { asleep -= 1 }
    condition.unlock()
    if wakes { condition.signal() }
  }

  func close() {
    condition.lock()
    isClosed = true
    condition.unlock()
    condition.broadcast()
  }

  func runJobs() {
    while let next = next() { next.job.runSynchronously(on: next.executor) }
  }

  private func next() -> Job? {
    condition.lock()
    defer { condition.unlock() }
    if head == jobs.count, !isClosed { wait() }
    guard head < jobs.count else { return nil }
    let job = jobs[head]
    head += 1
    count.subtract(1, ordering: .relaxed)
    if head == jobs.count {
      jobs.removeAll(keepingCapacity: true)
      head = 0
    } else if asleep > 0 {
      asleep -= 1
      condition.signal()
    }
    return job
  }

  /// Returns, with the lock held as before, when there is a job or there will be none.
  private func wait() {
    let begin = ContinuousClock.now
    if isBusy, !isWatched {
      isWatched = true
      condition.unlock()
      while count.load(ordering: .acquiring) == 0, begin.duration(to: .now) < Self.lookout {
        // Whoever has something to do goes first.
        sched_yield()
      }
      condition.lock()
      isWatched = false
    }
    while head == jobs.count, !isClosed {
      asleep += 1
      condition.wait()
    }
    isBusy = begin.duration(to: .now) < Self.lookout
  }
}
