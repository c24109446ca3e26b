import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetJournal

/// The output for a run's events as JSON Lines: the option `--events`.
///
/// A file takes every event, and a slow disk slows the run. A pipe or a terminal loses events rather than hold
/// the run up, and the line `dropped` says how many.
struct EventSink: Sendable {
  private let name: String
  /// The name by which the file was opened; `nil` if it was open before.
  private let path: String?
  private let writer: LineWriter
  private let isFile: Bool
  private let words: RunWords
  let readers: RunOutputs.Readers

  /// - Parameters:
  ///   - file: the file's name; `-` is standard output.
  ///   - words: the run's.
  /// - Throws: ``OutputError`` if the file cannot be written.
  init(file: String, words: RunWords) throws {
    self.words = words
    let (descriptor, path) = try LineFile.open(file, flag: "events")
    readers = RunOutputs.Readers(of: descriptor)
    name = file == "-" ? StandardOutput.name : file
    self.path = path
    isFile = GrowingFile.isFile(descriptor)
    writer = LineWriter(descriptor: descriptor, path: path, isData: false)
  }

  /// The file's name, if it is a file that has the events of this run.
  var file: String? { isFile && !writer.isHeld ? path : nil }

  /// Empties the file of an earlier run's events.
  func begin() { writer.begin() }

  /// Writes an event's line. Returns `false` once the file has failed.
  func write(_ update: EngagementUpdate) -> Bool {
    writer.write(isBulk: true, reportingDropped: update.json(reportingDropped:)) { bytes in
      update.write(to: &bytes, in: words)
      bytes.append(UInt8(ascii: "\n"))
    }
    return !isFile || writer.failure == nil
  }

  /// Whether ``waitForRoom()`` has something to do.
  var isBehind: Bool { writer.isBehind }

  /// Returns when the file has room for more lines. It never waits for a pipe.
  func waitForRoom() async { await writer.waitForRoom() }

  /// Writes lines as they come, until cancelled.
  func run() async { await writer.run() }

  /// Writes the remaining lines.
  ///
  /// - Returns: how many events the reader of a pipe has lost.
  /// - Throws: ``OutputError`` if a line could not be written to a file.
  func finish() throws(OutputError) -> Int {
    let lost = writer.finish()
    guard isFile, let failure = writer.failure else { return lost }
    throw OutputError(flag: "events", path: name, failure: failure)
  }
}
