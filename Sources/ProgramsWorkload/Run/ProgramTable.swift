import Foundation
import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import SkyProcess
import SkyPrograms
import Synchronization

/// The table of a run, with the columns of GNU parallel's `--joblog`: a row for each sector that has ended, as it ends.
///
/// Host is the system's name. Starttime is when the last attempt was handed out, also by an earlier process. Send is
/// what went to standard input, and Receive what came from standard output, in bytes. A failure that was neither a status
/// nor a signal has 255.
final class ProgramTable: RunObserver {
  private static let header =
    "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand"

  private struct State {
    /// What is known of the sectors that have not ended.
    var begins: [Int: Date] = [:]
    var inputs: [Int: TemplateInput] = [:]
    var hasHeader = false
  }

  private let output: LineOutput
  private let settings: ProgramSettings
  private let template: ProgramTemplate
  private let state = Mutex(State())

  /// - Throws: an error with the reason if the file cannot be written.
  init(_ path: String, _ settings: ProgramSettings) throws {
    output = try LineOutput(path, flag: "summary")
    self.settings = settings
    template = ProgramTemplate(settings.words)
  }

  /// When attempts of earlier processes began, in seconds since 1970.
  func began(_ times: [Int: Double]) {
    state.withLock { state in
      for (sector, time) in times { state.begins[sector] = Date(timeIntervalSince1970: time) }
    }
  }

  func hear(_ update: EngagementUpdate) {
    switch update.event {
    case .grew(let part, _):
      guard let facts = InputFacts(part.facts) else { return }
      state.withLock {
        $0.inputs[part.sectors.lowerBound] =
          facts.input(number: part.sectors.lowerBound).templateInput
      }
    case .handedOut(let handout):
      let time = update.time
      state.withLock { $0.begins[handout.task.sector] = time }
    case .completed(let result), .restored(let result):
      let bytes = (result.result as? any SizedResult)?.outputBytes ?? 0
      write(
        result.sector, on: result.system, seconds: result.seconds, received: bytes, end: .exited(0))
    case .failed(let failure), .restoredFailure(let failure):
      let last = failure.failures.last
      write(
        failure.sector, on: last?.system ?? "", seconds: failure.seconds, received: 0,
        end: last.flatMap { ProgramEnding.Status(reason: $0.reason) } ?? .exited(255))
    case .finished: begin()
    default: break
    }
  }

  var isBehind: Bool { output.isBehind }

  func catchUp() async { await output.waitForRoom() }

  /// Writes rows as they come, until cancelled.
  func run() async { await output.run() }

  /// - Throws: an error with the reason if a row could not be written.
  func finish() throws { try output.finish() }

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.hasHeader = true }
      return !state.hasHeader
    }
    guard isFirst else { return }
    output.begin()
    output.write(Self.header)
  }

  private func write(
    _ sector: Int, on system: String, seconds: Double, received: Int, end: ProgramEnding.Status
  ) {
    begin()
    let (began, known) = state.withLock {
      ($0.begins.removeValue(forKey: sector), $0.inputs.removeValue(forKey: sector))
    }
    let input = known ?? TemplateInput("\(sector)", place: sector)
    let (status, signal): (CInt, CInt) =
      switch end {
      case .exited(let status): (status, 0)
      case .signaled(let signal): (0, signal)
      }
    let sent = settings.givesInput ? input.text.utf8.count + 1 : 0
    let columns = [
      "\(input.place + 1)", system.asCell,
      String(format: "%.3f", began?.timeIntervalSince1970 ?? 0),
      String(format: "%10.3f", seconds), "\(sent)", "\(received)", "\(status)", "\(signal)",
      command(of: input).asCell,
    ]
    output.write(columns.map(Self.fitted).joined(separator: "\t"))
  }

  private func command(of input: TemplateInput) -> String {
    let words = (try? template.words(for: input)) ?? settings.words
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// A column without what would end it.
  private static func fitted(_ column: String) -> String {
    String(column.map { $0 == "\t" || $0.isNewline ? " " : $0 })
  }
}
