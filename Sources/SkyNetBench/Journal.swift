import DequeModule
import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetJournal

/// Measures the journal's cost for a task. It records the beginning and the end of many attempts on
/// another system, as an engagement with sectors of no length does, and reads them again as a
/// resume does.
///
/// The processor time is that of the whole process from the first entry until all are on disk, less
/// the time of the same loop without a journal. Without a rate, entries come as fast as the journal
/// takes them.
enum JournalBench {
  struct Settings {
    var tasks = 1_000_000
    /// Tasks per second; 0 means no limit.
    var rate = 30_000
    /// How many attempts are in flight at a time.
    var inFlight = 64
    var runs = 5
  }

  struct Figures {
    /// Processor time in seconds: of the process, and of the recording task alone.
    var processor = 0.0
    var recording = 0.0
    var wall = 0.0
    /// Processor time to open the journal again and to read all of it.
    var resume = 0.0
    var bytes = 0
  }

  /// - Throws: `JournalError`; `WrongArguments`.
  static func run(_ options: Options) async throws {
    let settings = try settings(options)
    let attempts = attempts(settings.tasks)
    var all: [Figures] = []
    for number in 1...max(1, settings.runs) {
      let figures = try await measure(attempts, settings)
      all.append(figures)
      report("run \(number)", figures, settings)
    }
    guard let last = all.last else { return }
    func median(_ value: (Figures) -> Double) -> Double { all.map(value).sorted()[all.count / 2] }
    report(
      "median",
      Figures(
        processor: median(\.processor), recording: median(\.recording), wall: median(\.wall),
        resume: median(\.resume), bytes: last.bytes), settings)
  }

  private static func settings(_ given: Options) throws -> Settings {
    var (options, settings) = (given, Settings())
    settings.tasks = try options.number("--tasks") ?? settings.tasks
    settings.rate = try options.number("--rate", atLeast: 0) ?? settings.rate
    settings.inFlight = try options.number("--in-flight") ?? settings.inFlight
    settings.runs = try options.number("--runs") ?? settings.runs
    try options.end()
    return settings
  }

  /// An attempt on another system for each of this many sectors.
  private static func attempts(_ count: Int) -> [Attempt] {
    let kind = ScanKind(name: "bench", version: 1)
    var roster = Roster()
    _ = roster.joined(
      .init(id: Incarnation(), name: "a", slots: count, scans: [kind], isLocal: false),
      at: Instant())
    var engagement = Engagement(settings: EngagementSettings())
    let now = Instant(sinceOrigin: .zero)
    var attempts: [Attempt] = []
    attempts.reserveCapacity(count)
    // An engagement asks for some slots at a time.
    var actions = Deque(engagement.began([TaskRange(sectors: 0..<count)], systems: 1, at: now))
    var requests: SlotRequest.ID = 0
    while let action = actions.popFirst() {
      switch action {
      case .requestSlots(let wanted):
        requests += 1
        let grants = roster.requested(SlotRequest(id: requests, kind: kind, count: wanted))
        guard !grants.isEmpty else { continue }
        actions += engagement.slotsGranted(grants.flatMap(\.slots), at: now)
      case .begin(let attempt): attempts.append(attempt)
      default: break
      }
    }
    precondition(attempts.count == count, "\(attempts.count) attempts began")
    return attempts
  }

  private static func measure(
    _ attempts: [Attempt], _ settings: Settings
  ) async throws -> Figures {
    let path = NSTemporaryDirectory() + "/bench-\(UUID()).sqlite"
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
    let identity = JobIdentity([.init("scan", "bench/1")])
    var figures = Figures()

    let before = ProcessorTime.ofProcess
    _ = try await record(attempts, in: nil, settings)
    let loop = ProcessorTime.ofProcess - before

    let journal = try await SQLiteJournal.open(path, for: identity, sectors: attempts.count)
    let (start, begin) = (ProcessorTime.ofProcess, ContinuousClock.now)
    try await withThrowingTaskGroup { group in
      group.addTask { try await journal.run() }
      figures.recording = try await record(attempts, in: journal, settings)
      group.cancelAll()
      try await group.waitForAll()
    }
    try await journal.finish()
    figures.processor = ProcessorTime.ofProcess - start - loop
    figures.wall = begin.duration(to: .now) / .seconds(1)
    await journal.close()
    figures.bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0

    let second = ProcessorTime.ofProcess
    let again = try await SQLiteJournal.open(path, for: identity, sectors: attempts.count)
    var (read, last) = (0, TaskID?.none)
    while true {
      let page = try await again.past(String.self, in: nil, after: last, limit: 1000)
      guard let next = page.last?.id else { break }
      (read, last) = (read + page.count, next)
    }
    _ = try await again.losses()
    figures.resume = ProcessorTime.ofProcess - second
    await again.close()
    precondition(read == attempts.count, "\(read) of \(attempts.count) tasks came back")
    return figures
  }

  /// Records the attempts, or runs the same loop without a journal.
  ///
  /// - Returns: the processor time of the recording task, in seconds.
  private static func record(
    _ attempts: [Attempt], in journal: SQLiteJournal?, _ settings: Settings
  ) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    // With a rate, the entries of one millisecond are recorded at once.
    let burst = settings.rate > 0 ? max(1, settings.rate / 1000) : 64
    var seconds = 0.0
    var next = 0
    while next < attempts.count + settings.inFlight {
      let before = ProcessorTime.ofThread
      for index in next..<next + burst {
        if index < attempts.count { journal?.record(.began(attempts[index], isLocal: false)) }
        let ended = index - settings.inFlight
        guard attempts.indices.contains(ended) else { continue }
        let attempt = attempts[ended]
        journal?.record(
          .accepted(
            attempt, output: String(attempt.task.sector), attempts: 1, seconds: 0.000_002,
            endsSector: true))
      }
      seconds += ProcessorTime.ofThread - before
      next += burst
      if let journal, journal.isBehind { try await journal.commit() }
      if settings.rate > 0 {
        try await clock.sleep(
          until: start + .seconds(Double(next) / Double(settings.rate)),
          tolerance: .microseconds(100))
      }
    }
    return seconds
  }

  private static func report(_ name: String, _ figures: Figures, _ settings: Settings) {
    func microseconds(_ seconds: Double) -> String {
      String(format: "%.2f", seconds * 1e6 / Double(max(1, settings.tasks)))
    }
    print(
      """
      \(name): \(microseconds(figures.processor)) µs of processor time a task, \
      \(microseconds(figures.recording)) to record it, \(microseconds(figures.resume)) to read it \
      again; \(figures.bytes / max(1, settings.tasks)) bytes a task; \
      \(String(format: "%.1f", figures.wall)) s
      """)
  }
}
