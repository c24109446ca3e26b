import Foundation
import SkyNetCluster
import SkyNetCore

/// What a replay says.
enum ReplayText {
  /// The lines before the scan begins.
  static func head(_ replay: Replay) -> String {
    var first =
      if let sector = replay.sectorOfPart {
        "sector \(replay.task.id.sector), which is sector \(sector) of \(replay.name)"
      } else {
        "sector \(replay.task.id.sector) of \(replay.name)"
      }
    if let pass = replay.passName {
      first += ", pass \(replay.task.id.pass), \(pass)"
    } else if replay.task.id.pass > 0 {
      first += ", pass \(replay.task.id.pass)"
    }
    first += ", attempt \(replay.task.attempt.number), run \(replay.task.run.short)"
    let lines = [first] + replay.story.map { "in the run: " + $0 }
    return lines.map { $0.showingControls + "\n" }.joined()
  }

  static func text(_ outcome: Replay.Outcome) throws -> String {
    let time = outcome.seconds.inMilliseconds
    switch outcome.result {
    case .failure(let error):
      return "here: failed after \(time) s: \(error)".showingControls + "\n"
    case .success(let output):
      let text = "here: done in \(time) s: \(try words(for: output))".showingControls + "\n"
      guard let isSame = outcome.isSame else { return text }
      return text + (isSame ? "the same as in the run\n" : "NOT the same as in the run\n")
    }
  }

  private struct Object: Encodable {
    let run: RunID
    let sector: Int
    let pass: Int
    let attempt: Int
    let kind: ScanKind
    let seconds: Double
    var result: Output?
    var error: String?
    /// Whether the output is the one that the run recorded, if it recorded one.
    var same: Bool?
  }

  private struct Output: Encodable {
    let value: any Encodable & Sendable

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  static func json(_ replay: Replay, _ outcome: Replay.Outcome) throws -> String {
    let task = replay.task
    var object = Object(
      run: task.run, sector: task.id.sector, pass: task.id.pass, attempt: task.attempt.number,
      kind: task.kind, seconds: outcome.seconds, same: outcome.isSame)
    switch outcome.result {
    case .failure(let error): object.error = "\(error)"
    case .success(let output): object.result = Output(value: output)
    }
    return try LineJSON.text(object) + "\n"
  }

  /// The most characters of an output that are shown, if it has no words of its own.
  private static let shown = 200

  private static func words(for output: any Codable & Sendable) throws -> String {
    if let text = output as? String { return "result \(text)" }
    if let text = (output as? any CustomStringConvertible)?.description { return text }
    let json = String(decoding: try Replay.json(output), as: UTF8.self)
    return json.count > shown ? json.prefix(shown) + "… (--json prints all)" : json
  }
}
