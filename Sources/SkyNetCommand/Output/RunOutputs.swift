import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import Synchronization

/// The files and streams that a run's results and events are written to. If they cannot be written any more, the run
/// shuts down.
final class RunOutputs: RunObserver, RunSurrounding {
  private let results: ResultSink
  private let events: EventSink?
  private let shutdown: ShutdownTrigger
  private let console: Console
  /// The last event, and how many there were. The `finished` of a run that is abandoned has that event's run and
  /// counts.
  private let sent = Mutex<(last: EngagementUpdate, count: Int)?>(nil)
  /// Whether the engagement has reported its end.
  private let hasFinished = Atomic(false)

  /// An earlier run's file stays as it is until this run hands out its first task, restores a result, or ends without
  /// any.
  ///
  /// - Parameter words: those of the workload.
  /// - Throws: ``OutputError`` if a file cannot be written.
  init(
    _ options: RunOptions, words: RunWords, shutdown: ShutdownTrigger, _ console: Console
  ) throws {
    let wanted = options.results
    results = try ResultSink(
      file: wanted.resultsFile, printing: wanted.printing,
      printsPlainly: options.printsResults, inOrder: wanted.inOrder, words: words)
    events = try wanted.events.map { try EventSink(file: $0, words: words) }
    self.shutdown = shutdown
    self.console = console
  }

  /// What may print the lines that the outputs are given.
  struct Readers: OptionSet {
    let rawValue: Int

    /// A terminal, not only that of standard error: the name `/dev/tty` does not tell which it is.
    static let terminal = Readers(rawValue: 1)
    /// A program at the other end of a pipe.
    static let pipe = Readers(rawValue: 2)

    init(rawValue: Int) { self.rawValue = rawValue }

    init(of descriptor: CInt) {
      var status = stat()
      let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
      self = isatty(descriptor) == 1 ? .terminal : [S_IFIFO, S_IFSOCK].contains(kind) ? .pipe : []
    }
  }

  var readers: Readers { results.readers.union(events?.readers ?? []) }

  // MARK: Events

  func hear(_ update: EngagementUpdate) {
    switch update.event {
    case .handedOut, .failed, .restored, .restoredFailure, .passRestored: begin()
    case .finished(let reason):
      hasFinished.store(true, ordering: .relaxed)
      // A run without work has ended too. One that was stopped before it had any replaces nothing.
      if reason == nil { begin() }
    default: break
    }
    if !write(update) { shutdown.shutDown() }
  }

  var isBehind: Bool { results.isBehind || events?.isBehind ?? false }

  func catchUp() async {
    await events?.waitForRoom()
    await results.waitForRoom()
  }

  /// Empties the files of what an earlier run wrote to them.
  private func begin() {
    results.begin()
    events?.begin()
  }

  /// Writes what an event adds. Returns `false` once a file has failed.
  private func write(_ update: EngagementUpdate) -> Bool {
    guard let events else { return results.write(update.event) }
    sent.withLock { $0 = (update, ($0?.count ?? 0) + 1) }
    let areWritten = events.write(update)
    return results.write(update.event) && areWritten
  }

  // MARK: The run

  /// Writes lines as they come. The run's result lines may be lost although it has ended, and all else that it made is
  /// there.
  ///
  /// - Throws: what `run` throws; ``OutputError`` if a line could not be written to a file, also of a run that was
  ///   stopped.
  func during<Ended: Sendable>(_ run: () async throws -> Ended) async throws -> Ended {
    let ended: Ended
    do {
      ended = try await accompanied(by: { await self.writeLines() }, run)
    } catch {
      abandoned(for: "\(error)")
      do {
        try finish()
      } catch let lost {
        if error is RunStopped { throw lost }
        // An engagement that failed by itself says only why.
        if hasFinished.load(ordering: .relaxed) { console.line("\(lost)", level: .error) }
      }
      throw error
    }
    try finish()
    return ended
  }

  private func writeLines() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.results.run() }
      group.addTask { await self.events?.run() }
    }
  }

  /// The run was stopped, or an error ended it, so that it reports no end itself.
  private func abandoned(for reason: String) {
    guard !hasFinished.load(ordering: .relaxed), let events,
      let update = sent.withLock({ $0?.last })
    else { return }
    _ = events.write(
      EngagementUpdate(
        run: update.run, time: .now, event: .finished(reason: reason), tally: update.tally))
  }

  /// Writes the remaining lines.
  ///
  /// - Throws: ``OutputError`` if a line could not be written to a file.
  private func finish() throws(OutputError) {
    var lost: OutputError?
    do { try results.finish() } catch { lost = error }
    let dropped = try events?.finish() ?? 0
    if let lost { throw lost }
    if dropped > 0 {
      console.line(
        "\(dropped) events were lost: the reader of --events did not keep up, or has left")
    }
  }

  /// The files that have the results of this run.
  var files: [String] { results.files }

  /// A line for each file that was written.
  func written(_ tally: Tally) -> [String] {
    let count = sent.withLock { $0?.count ?? 0 }
    return results.files.map { WrittenLine.results($0, tally) }
      + (events?.file.map { [WrittenLine.events($0, count)] } ?? [])
  }
}
