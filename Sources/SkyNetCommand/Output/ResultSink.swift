import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetJournal
import Synchronization

/// The outputs for a run's result lines: a file, standard output, both, or none.
final class ResultSink: Sendable {
  private struct Target: Sendable {
    let flag: String
    let name: String
    let readers: RunOutputs.Readers
    let isFile: Bool
    let writer: LineWriter

    /// - Parameter path: the name by which the descriptor was opened; `nil` if it was open before.
    init(flag: String, name: String, descriptor: CInt, path: String? = nil) {
      self.flag = flag
      self.name = name
      readers = RunOutputs.Readers(of: descriptor)
      isFile = path != nil && GrowingFile.isFile(descriptor)
      writer = LineWriter(descriptor: descriptor, path: path, isData: true)
    }
  }

  private let targets: [Target]
  private let line: ResultLine
  /// Keeps the lines that wait for others; `nil` if they are written as they come.
  private let order: Mutex<ResultOrder<[UInt8]>?>

  /// - Parameters:
  ///   - option: the option by which standard output gets the results too, without its dashes.
  ///   - printsPlainly: whether standard output, and no file, gets the results alone, as they are.
  ///   - inOrder: whether the results are written in the order of the sectors.
  ///   - words: the run's.
  /// - Throws: ``OutputError`` if the file cannot be written.
  init(
    file: String?, printing option: String?, printsPlainly: Bool = false, inOrder: Bool = false,
    words: RunWords
  ) throws {
    line = ResultLine(words: words, isPlain: printsPlainly)
    order = Mutex(inOrder ? ResultOrder() : nil)
    var targets: [Target] = []
    if let option = option ?? (printsPlainly ? "results" : nil) {
      targets.append(
        Target(flag: option, name: StandardOutput.name, descriptor: StandardOutput.descriptor))
    }
    if let file {
      let (descriptor, path) = try LineFile.open(file, flag: "results")
      targets.append(Target(flag: "results", name: file, descriptor: descriptor, path: path))
    }
    self.targets = targets
  }

  var readers: RunOutputs.Readers { targets.reduce([]) { $0.union($1.readers) } }

  /// The names of the files that have the results of this run.
  var files: [String] { targets.filter { $0.isFile && !$0.writer.isHeld }.map(\.name) }

  /// Empties the file of an earlier run's results.
  func begin() {
    for target in targets { target.writer.begin() }
  }

  /// Writes the line of an event that is a result. Returns `false` once an output has failed.
  func write(_ event: EngagementEvent) -> Bool {
    guard !targets.isEmpty else { return true }
    switch event {
    case .completed(let result), .restored(let result):
      write(line.bytes(result), of: result.sector)
    case .failed(let failure), .restoredFailure(let failure):
      write(line.bytes(failure), of: failure.sector)
    case .began(_, let sectors, _): order.withLock { $0?.expect(0..<sectors) }
    case .extended(let sectors): order.withLock { $0?.expect(sectors) }
    case .grew(let part, _): order.withLock { $0?.expect(part.sectors) }
    default: break
    }
    return targets.allSatisfy { $0.writer.failure == nil }
  }

  private func write(_ line: [UInt8], of sector: Int) {
    guard let ready = order.withLock({ $0?.lines(after: line, of: sector) }) else {
      return write(line)
    }
    for line in ready { write(line) }
  }

  private func write(_ line: [UInt8]) {
    for target in targets { target.writer.write { $0.append(contentsOf: line) } }
  }

  /// Whether ``waitForRoom()`` has something to do.
  var isBehind: Bool { targets.contains { $0.writer.isBehind } }

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
    // Those that waited for sectors that have no result.
    for line in order.withLock({ $0?.rest() }) ?? [] { write(line) }
    for target in targets { target.writer.finish() }
    for target in targets {
      if let failure = target.writer.failure {
        throw OutputError(flag: target.flag, path: target.name, failure: failure)
      }
    }
  }
}
