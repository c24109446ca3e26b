import Foundation
import SkyNetCluster
import SkyNetJournal

/// The outputs for a run's result lines: a file, standard output, both, or none.
struct ResultSink: Sendable {
  private struct Target: Sendable {
    let flag: String
    let name: String
    let isTerminal: Bool
    let isFile: Bool
    let writer: LineWriter

    /// - Parameter path: the name by which the descriptor was opened.
    init(flag: String, name: String, descriptor: CInt, path: String? = nil) {
      self.flag = flag
      self.name = name
      isTerminal = isatty(descriptor) == 1
      isFile = path != nil && GrowingFile.isFile(descriptor)
      writer = LineWriter(descriptor: descriptor, path: path)
    }
  }

  private var targets: [Target] = []

  /// - Parameter option: the option by which standard output gets the results too, without its dashes.
  /// - Throws: ``OutputError`` if the file cannot be written.
  init(file: String?, printing option: String?) throws {
    if let option {
      targets.append(
        Target(flag: option, name: StandardOutput.name, descriptor: StandardOutput.descriptor))
    }
    guard let file else { return }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    guard descriptor >= 0 else {
      throw OutputError(flag: "results", path: file, failure: .refused(errno))
    }
    targets.append(Target(flag: "results", name: file, descriptor: descriptor, path: file))
  }

  /// Whether a terminal shows the results. It may be any terminal, not only that of standard error:
  /// the name `/dev/tty` does not tell which it is.
  var isOnTerminal: Bool { targets.contains { $0.isTerminal } }

  /// The names of the outputs that are files.
  var files: [String] { targets.filter(\.isFile).map(\.name) }

  /// Writes the line of an event that is a result. Returns `false` once an output has failed.
  func write(_ event: EngagementEvent) -> Bool {
    guard !targets.isEmpty else { return true }
    switch event {
    case .completed(let result), .restored(let result): write(ResultLine.text(result))
    case .failed(let failure), .restoredFailure(let failure): write(ResultLine.text(failure))
    default: break
    }
    return targets.allSatisfy { $0.writer.failure == nil }
  }

  private func write(_ line: String) {
    for target in targets { target.writer.write(line) }
  }

  /// Returns when the outputs have room for more lines.
  func waitForRoom() async {
    for target in targets { await target.writer.waitForRoom() }
  }

  /// Writes lines as they come, until cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for target in targets {
        group.addTask { await target.writer.run() }
      }
    }
  }

  /// Writes the remaining lines.
  ///
  /// - Throws: ``OutputError`` if a line could not be written, or the file was replaced or
  ///   truncated.
  func finish() throws(OutputError) {
    for target in targets {
      target.writer.finish()
      if let failure = target.writer.failure {
        throw OutputError(flag: target.flag, path: target.name, failure: failure)
      }
    }
  }
}
