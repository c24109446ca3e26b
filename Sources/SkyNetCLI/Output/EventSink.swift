import Foundation
import SkyNetCluster
import SkyNetJournal

/// The output for a run's events as JSON Lines: the option `--events`.
///
/// A file takes every event, and a slow disk slows the run. A pipe or a terminal loses events rather than hold
/// the run up, and the line `dropped` says how many.
struct EventSink: Sendable {
  private enum Target: Sendable {
    case file(LineWriter)
    case pipe(EventPipe)
  }

  private let name: String
  private let target: Target
  /// Whether a terminal shows the events.
  let isOnTerminal: Bool

  /// - Parameter file: the file's name; `-` is standard output.
  /// - Throws: ``OutputError`` if the file cannot be written.
  init(file: String) throws {
    let descriptor =
      file == "-"
      ? StandardOutput.descriptor : open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw OutputError(flag: "events", path: file, failure: .refused(errno))
    }
    isOnTerminal = isatty(descriptor) == 1
    name = file == "-" ? StandardOutput.name : file
    target =
      GrowingFile.isFile(descriptor)
      ? .file(LineWriter(descriptor: descriptor, path: file == "-" ? nil : file))
      : .pipe(EventPipe(descriptor: descriptor))
  }

  /// The file's name, if it is a file.
  var file: String? { if case .file = target, name != StandardOutput.name { name } else { nil } }

  /// Writes an event's line. Returns `false` once the file has failed.
  func write(_ update: EngagementUpdate) -> Bool {
    switch target {
    case .file(let writer):
      writer.write { bytes in
        update.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
      }
      return writer.failure == nil
    case .pipe(let pipe):
      pipe.write(update)
      return true
    }
  }

  /// Returns when the file has room for more lines. It never waits for a pipe.
  func waitForRoom() async {
    if case .file(let writer) = target { await writer.waitForRoom() }
  }

  /// Writes lines as they come, until cancelled.
  func run() async {
    switch target {
    case .file(let writer): await writer.run()
    case .pipe(let pipe): await pipe.run()
    }
  }

  /// Writes the remaining lines.
  ///
  /// - Returns: how many events the reader of a pipe has lost.
  /// - Throws: ``OutputError`` if a line could not be written to a file.
  func finish() throws(OutputError) -> Int {
    switch target {
    case .file(let writer):
      writer.finish()
      if let failure = writer.failure {
        throw OutputError(flag: "events", path: name, failure: failure)
      }
      return 0
    case .pipe(let pipe): return pipe.finish()
    }
  }
}
