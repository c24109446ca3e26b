import Foundation
import SkyNetCluster

/// Where a run's result lines go: a file, standard output, both, or nowhere.
struct ResultSink: Sendable {
  private struct Target: Sendable {
    let flag: String
    let name: String
    let isTerminal: Bool
    let writer: LineWriter

    /// - Parameter path: the name that the descriptor was opened by.
    init(flag: String, name: String, descriptor: CInt, path: String? = nil) {
      self.flag = flag
      self.name = name
      isTerminal = isatty(descriptor) == 1
      writer = LineWriter(descriptor: descriptor, path: path)
    }
  }

  private var targets: [Target] = []

  /// - Throws: ``OutputError`` if the file cannot be written.
  init(file: String?, standardOutput: Bool) throws {
    if standardOutput {
      targets.append(
        Target(flag: "json", name: StandardOutput.name, descriptor: StandardOutput.descriptor))
    }
    guard let file else { return }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    guard descriptor >= 0 else {
      throw OutputError(flag: "results", path: file, failure: .refused(errno))
    }
    targets.append(Target(flag: "results", name: file, descriptor: descriptor, path: file))
  }

  /// Whether people see the results come. Which terminal it is cannot be told of all its names:
  /// `/dev/tty` is any of them.
  var isOnTerminal: Bool { targets.contains { $0.isTerminal } }

  /// Takes a line if it is a result's. Returns whether it can be written, as far as is known.
  func take(_ event: EngagementEvent) -> Bool {
    guard !targets.isEmpty else { return true }
    switch event {
    case .completed(let result), .restored(let result): write(ResultLine.text(result))
    case .failed(let failure), .restoredFailure(let failure): write(ResultLine.text(failure))
    case .handedOut, .rerun, .connected, .disconnected, .unsuited, .leaving, .waitingForSystem,
      .stalled, .paused:
      break
    }
    return targets.allSatisfy { $0.writer.failure == nil }
  }

  private func write(_ line: String) {
    for target in targets { target.writer.write(line) }
  }

  /// Returns when there is room for more lines.
  func room() async {
    for target in targets { await target.writer.room() }
  }

  /// Writes lines out as they come, until cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for target in targets {
        group.addTask { await target.writer.run() }
      }
    }
  }

  /// Writes out what is left.
  ///
  /// - Throws: ``OutputError`` if a line could not be written, or the file is not what it was.
  func finish() throws(OutputError) {
    for target in targets {
      target.writer.finish()
      if let failure = target.writer.failure {
        throw OutputError(flag: target.flag, path: target.name, failure: failure)
      }
    }
  }
}
