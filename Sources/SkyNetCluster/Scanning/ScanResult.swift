// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

package import SkyNetCore

/// The output of a system's scan of a sector, and the times it took. Like a ``ScanTask``, it is read with the help
/// of a ``ScanRegistry``.
package struct ScanResult: Sendable {
  package let kind: ScanKind
  /// The scan's `Output`.
  package let output: any Codable & Sendable
  /// How long the scan ran, in seconds.
  package let seconds: Double
  /// How long the task waited for its slot, in seconds.
  package let queuedSeconds: Double
  /// Whether other clients had tasks at the system when the scan ended.
  package internal(set) var isShared = false
  /// The beginning of the result's body, if it was written where the scan ran.
  var written: BodyWriter?
}

extension ScanResult: MessageBody {
  package static var content: String { "the output" }

  private enum Key: Int, BodyKey {
    case kind, output, seconds, queued, shared

    static let all = JSONKeys(Key.self)
  }

  /// Writes a result's body up to the output. That may take long.
  ///
  /// - Parameter isMeasure: whether this only shows whether the output could be sent.
  /// - Throws: `CallFailure` if it could not.
  static func beginning(
    _ output: AnyOutput, of kind: ScanKind, isMeasure: Bool = false
  ) throws(CallFailure) -> BodyWriter {
    var body = BodyWriter(isMeasure: isMeasure)
    body.json.add(syntax: "{")
    body.json.add(key: "kind", kind.description, isFirst: true)
    body.json.add(key: "output")
    try body.add(output, called: content)
    try body.checkSize(of: content)
    return body
  }

  package func write(to body: inout BodyWriter) throws {
    body = try written ?? Self.beginning(output, of: kind)
    body.json.add(key: "seconds", seconds: seconds)
    body.json.add(key: "queued", seconds: queuedSeconds)
    if isShared { body.json.add(key: "shared", isTrue: true) }
    body.json.add(syntax: "}")
  }

  package init(from message: Message, by coder: BodyCoder) throws {
    self = try coder.read(Key.self, of: message) { body in
      let entry = try body.scan(Key.kind)
      return ScanResult(
        kind: entry.kind, output: try Self.output(of: entry.scan, body),
        seconds: try body.seconds(Key.seconds), queuedSeconds: try body.seconds(Key.queued),
        isShared: try body.flag(Key.shared))
    }
  }

  private static func output<S: Scan>(of scan: S, _ body: BodyReader) throws -> AnyOutput {
    try body.value(Key.output, as: S.Output.self)
  }
}
