import Foundation
import SkyNetCluster
import SkyNetCore
import Synchronization

/// The files and streams that a run's results and events are written to.
struct RunOutputs: Sendable {
  private let results: ResultSink
  private let events: EventSink?
  private let sent = SentEvents()

  /// The last event, and how many there were. The `finished` of a run that is abandoned has that event's run and
  /// counts.
  private final class SentEvents: Sendable {
    let value = Mutex<(last: EngagementUpdate, count: Int)?>(nil)
  }

  /// An earlier run's file stays as it is until ``begin()``, or until this run hands out its first task or restores
  /// a result.
  ///
  /// - Parameter words: the run's.
  /// - Throws: ``OutputError`` if a file cannot be written.
  init(_ options: ResultOptions, words: RunWords) throws {
    results = try ResultSink(file: options.resultsFile, printing: options.printing)
    events = try options.events.map { try EventSink(file: $0, words: words) }
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

  /// Empties the files of what an earlier run wrote to them.
  func begin() {
    results.begin()
    events?.begin()
  }

  /// Writes what an event adds. Returns `false` once a file has failed.
  func write(_ update: EngagementUpdate) -> Bool {
    switch update.event {
    case .handedOut, .failed, .restored, .restoredFailure, .passRestored: begin()
    default: break
    }
    guard let events else { return results.write(update.event) }
    sent.value.withLock { $0 = (update, ($0?.count ?? 0) + 1) }
    let areWritten = events.write(update)
    return results.write(update.event) && areWritten
  }

  /// Returns when the file of events has room for more lines.
  func waitForRoomForEvents() async { await events?.waitForRoom() }

  /// Returns when all files have room for more lines.
  func waitForRoom() async {
    await waitForRoomForEvents()
    await results.waitForRoom()
  }

  /// Writes lines as they come, until cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await results.run() }
      group.addTask { await events?.run() }
    }
  }

  /// The run was stopped, or an error ended it, so that it reports no end itself.
  func abandoned(for reason: String) {
    guard let events, let update = sent.value.withLock({ $0?.last }) else { return }
    if case .finished = update.event { return }
    _ = events.write(
      EngagementUpdate(
        run: update.run, time: .now, event: .finished(reason: reason), tally: update.tally))
  }

  /// A line for each file that was written.
  func written(_ tally: Tally) -> [String] {
    let count = sent.value.withLock { $0?.count ?? 0 }
    return results.files.map { WrittenLine.results($0, tally) }
      + (events?.file.map { [WrittenLine.events($0, count)] } ?? [])
  }

  /// Writes the remaining lines. Returns how many events a slow reader has lost.
  ///
  /// - Throws: ``OutputError`` if a line could not be written to a file.
  func finish() throws(OutputError) -> Int {
    var lost: OutputError?
    do { try results.finish() } catch { lost = error }
    let dropped = try events?.finish() ?? 0
    if let lost { throw lost }
    return dropped
  }
}
