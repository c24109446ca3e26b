// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

import SkyNetCore

extension WrittenOutput {
  /// Writes the beginning of a result; `nil` if `ScanResult.encode(to:)` has to write all of it.
  init?(_ output: any Codable & Sendable, of kind: ScanKind) {
    var parts = PartEncoder()
    guard ScanResult.write(output, of: kind, to: &parts) else { return nil }
    (json, bulk) = (parts.json, parts.bulk)
  }
}

extension ScanResult {
  /// Writes the same JSON as `encode(to:)`. Returns `false` if `encode(to:)` has to write it.
  func write(to parts: inout PartEncoder) -> Bool {
    if let written {
      parts = PartEncoder(after: written)
    } else if !Self.write(output, of: kind, to: &parts) {
      return false
    }
    parts.json.add(syntax: #","seconds":"#)
    parts.json.add(seconds: seconds)
    parts.json.add(syntax: #","queued":"#)
    parts.json.add(seconds: queuedSeconds)
    if isShared { parts.json.add(syntax: #","shared":true"#) }
    parts.json.add(syntax: "}")
    return true
  }

  fileprivate static func write(
    _ output: any Codable & Sendable, of kind: ScanKind, to parts: inout PartEncoder
  ) -> Bool {
    parts.json.add(syntax: #"{"kind":"#)
    guard parts.json.add(text: kind.description) else { return false }
    parts.json.add(syntax: #","output":"#)
    let encodable: any Encodable = output
    return parts.add(encodable)
  }

  /// Reads this JSON; `nil` if `init(from:)` has to read it, which also reports errors.
  init?(_ text: JSONText, of parts: PartDecoder) {
    var seconds: Double?
    var queuedSeconds: Double?
    var isShared: Bool?
    var kind: JSONText?
    var output: JSONText?
    let isTaken = text.forEachMember { key, value in
      // Each member is taken at most once, as in a task.
      if key.is("seconds"), seconds == nil {
        seconds = value.seconds
        return seconds != nil
      }
      if key.is("queued"), queuedSeconds == nil {
        queuedSeconds = value.seconds
        return queuedSeconds != nil
      }
      if key.is("kind"), kind == nil {
        kind = value
      } else if key.is("output"), output == nil {
        output = value
      } else if key.is("shared"), isShared == nil, value.is("true") {
        isShared = true
      } else {
        return false
      }
      return true
    }
    guard isTaken, let seconds, let queuedSeconds, let kind, let output,
      let scan = parts.scan(of: kind), let output = Self.output(of: scan, output, parts)
    else { return nil }
    self.init(
      kind: type(of: scan).kind, output: output, seconds: seconds, queuedSeconds: queuedSeconds,
      isShared: isShared ?? false)
  }

  private static func output<S: Scan>(
    of scan: S, _ text: JSONText, _ parts: PartDecoder
  ) -> (any Codable & Sendable)? {
    parts.decode(S.Output.self, from: text)
  }
}
