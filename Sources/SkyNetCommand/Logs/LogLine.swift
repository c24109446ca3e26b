import Foundation
import Logging
import SkyNetCore

/// One message for standard error, in any of its formats.
struct LogLine {
  let level: Logger.Level
  /// The logger's label; ``ownLabel`` for what the command says itself.
  let label: String
  let message: String
  var metadata: Logger.Metadata = [:]

  /// The label of what a command says itself.
  static let ownLabel = "skynet"

  /// `level: message (key value, …)`.
  var text: String { "\(level): \(messageWithMetadata)" }

  /// The same with short ids of runs, for a person who watches. What is kept has the ids whole.
  var shortText: String {
    var line = self
    if let id = metadata["run"].flatMap({ RunID("\($0)") }) { line.metadata["run"] = "\(id.short)" }
    return line.text
  }

  /// `message (key value, …)`.
  var messageWithMetadata: String {
    guard !metadata.isEmpty else { return message }
    let details = sorted.map { "\($0.key) \($0.value)" }
    return "\(message) (\(details.joined(separator: ", ")))"
  }

  private var sorted: [(key: String, value: Logger.MetadataValue)] {
    metadata.sorted { $0.key < $1.key }
  }

  // MARK: The journal of systemd

  /// `<6>message (key value, …)`, with the priority as in sd-daemon(3).
  var journald: String { "<\(priority)>\(messageWithMetadata.showingControls)" }

  private var priority: Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }

  // MARK: JSON

  private static let ownKeys: Set = ["time", "level", "label", "message"]

  /// One object. Metadata of a name that the object has already gets an underscore before it.
  func json(at time: Date) -> String {
    var members = [
      ("time", Self.text(of: time).inJSON), ("level", level.rawValue.inJSON),
      ("label", label.inJSON), ("message", message.inJSON),
    ]
    members += sorted.map { key, value in
      (Self.ownKeys.contains(key) ? "_" + key : key, value.inJSON)
    }
    return "{" + members.map { "\($0.inJSON):\($1)" }.joined(separator: ",") + "}"
  }

  private static func text(of time: Date) -> String {
    time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension Logger.MetadataValue {
  fileprivate var inJSON: String {
    switch self {
    case .string(let text): text.inJSON
    case .stringConvertible(let value): "\(value)".inJSON
    case .array(let values): "[" + values.map(\.inJSON).joined(separator: ",") + "]"
    case .dictionary(let values):
      "{"
        + values.sorted { $0.key < $1.key }.map { "\($0.key.inJSON):\($0.value.inJSON)" }
        .joined(separator: ",") + "}"
    }
  }
}

extension String {
  /// As a JSON string. All control characters are escaped, also those that JSON would allow: a terminal may
  /// show the line.
  fileprivate var inJSON: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case _ where scalar.isControl:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
