import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetViews
import Synchronization

#if canImport(CMalloc)
  import CMalloc
#endif

/// The cost of what views are made of, in a run of many tasks: the time of an event, and the memory.
enum ViewBench {
  static func run(_ given: Options) throws {
    var options = given
    let systems = try options.number("--systems") ?? 100
    let tasks = try options.number("--tasks") ?? 1_000_000
    try options.end()
    let events = ViewedEvents(systems: systems)
    let view = Mutex(RunView())
    let before = allocatedBytes
    let clock = ContinuousClock()
    // The events are made beforehand, some at a time, so that only their handling is measured.
    var (elapsed, count) = (Duration.zero, 0)
    for number in 0...events.portions(of: tasks) {
      let updates = events.portion(number, of: tasks)
      let begin = clock.now
      for update in updates { view.withLock { $0.apply(update) } }
      elapsed += clock.now - begin
      count += updates.count
    }
    let completed = view.withLock { $0.completed }
    guard completed == tasks else { throw WrongArguments("\(completed) sectors are completed") }
    let nanoseconds = elapsed / .nanoseconds(count)
    let megabytes = Double(max(0, allocatedBytes - before)) / Double(1 << 20)
    print("\(tasks) tasks on \(systems) systems, \(count) events")
    print("  an event: \(Int(nanoseconds.rounded())) ns")
    print("  memory: \((megabytes * 10).rounded() / 10) MiB more")
  }

  /// The memory that this process has allocated, in bytes; 0 where that cannot be told.
  private static var allocatedBytes: Int {
    #if canImport(CMalloc)
      let info = mallinfo2()
      return Int(info.uordblks + info.hblkhd)
    #else
      return 0
    #endif
  }
}

/// The events of a run on systems that take turns: each has some tasks in flight.
private struct ViewedEvents {
  private static let inFlight = 400
  private static let portion = 10_000

  let systems: Int
  private let run = RunID()

  init(systems: Int) { self.systems = systems }

  /// How many portions follow the first one.
  func portions(of tasks: Int) -> Int {
    (tasks + Self.inFlight + Self.portion - 1) / Self.portion
  }

  /// The events of a portion; the first one begins the run.
  func portion(_ number: Int, of tasks: Int) -> [EngagementUpdate] {
    guard number > 0 else {
      return [
        update(.began(name: "sky", sectors: tasks, passes: []), at: 0),
        update(.added(tasks: tasks, pass: 0), at: 0),
      ]
    }
    let first = (number - 1) * Self.portion
    return (first..<min(first + Self.portion, tasks + Self.inFlight)).flatMap {
      turnEvents($0, of: tasks)
    }
  }

  /// One sector is handed out, and an earlier one comes back.
  private func turnEvents(_ turn: Int, of tasks: Int) -> [EngagementUpdate] {
    let (time, back) = (Double(turn) / 50_000, turn - Self.inFlight)
    var events: [EngagementUpdate] = []
    if turn < tasks {
      events.append(
        update(.handedOut(.init(task: TaskID(sector: turn), system: name(turn))), at: time))
    }
    if back >= 0 {
      let result = SectorResult(
        sector: back, result: 0, system: name(back), attempts: 1, seconds: 0.001)
      events.append(update(.completed(result), at: time))
    }
    return events
  }

  private func name(_ turn: Int) -> String { "system-\(turn % systems)" }

  private func update(_ event: EngagementEvent, at time: Double) -> EngagementUpdate {
    EngagementUpdate(
      run: run, time: Date(timeIntervalSince1970: 1_700_000_000 + time), event: event,
      tally: Tally(total: 0))
  }
}
