import Foundation
import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCluster
import SkyNetCommand
import SkyNetCore

/// The file of a run's summary. It is replaced by a newer table now and then, as images end, and is a
/// whole table at any time: a run that is killed leaves the last one. A run that goes on gives the
/// rows of all images again, also of those that an earlier process has done.
///
/// A device, a pipe or an open descriptor gets the table once, at the end.
actor NightSummaryFile {
  private let file: OutputFile
  private let clock: any ClusterClock
  private let interval: Duration
  private let isStream: Bool
  /// Whether it is a device of characters: a terminal, or one that keeps nothing.
  private let mayBeTerminal: Bool
  private let queue = FITSQueue()
  private let bell = Bell()
  private var summary = NightSummary()
  private var isChanged = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// - Parameter interval: the shortest time between two writes.
  /// - Throws: `OutputFileError` if the file cannot be written.
  init(
    path: String, interval: Duration = .seconds(10), clock: any ClusterClock = SteadyClock()
  ) throws {
    file = try OutputFile(path: path)
    isStream = FileIdentity.isStream(path)
    var status = stat()
    mayBeTerminal =
      path == "-"
      ? StandardOutput.isTerminal
      : stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    self.interval = interval
    self.clock = clock
  }

  /// Sets an image's row, in memory.
  ///
  /// - Parameter index: the image's number, from 0.
  func set(_ row: NightSummary.Row, at index: Int) {
    summary.set(row, at: index)
    isChanged = true
    bell.ring()
  }

  /// Writes the table when rows have changed, until it is cancelled.
  ///
  /// - Throws: `CancellationError`; `OutputFileError`, after which the file has an older table.
  func run() async throws {
    while true {
      try await bell.wait()
      guard isChanged, !isStream else { continue }
      let begin = clock.now
      try write()
      // The table of a long night is large: writing it takes a twentieth of the time at most.
      let pause = max(interval, begin.duration(to: clock.now) * 20)
      try await clock.sleep(until: clock.now + pause, tolerance: nil)
    }
  }

  /// Writes the table that the run ends with, whether or not rows have changed.
  ///
  /// - Throws: `OutputFileError`.
  func finish() throws { try write() }

  private func write() throws {
    isChanged = false
    try file.write(mayBeTerminal ? Data(summary.csv.linesShowingControls) : summary.csv)
  }
}
