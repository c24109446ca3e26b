import SkyNetFuzz

/// Inputs worth beginning with: something of each kind that is read, and what lies at the edges.
enum Seeds {
  typealias Named = KeyValuePairs<String, [UInt8]>

  static func of(_ target: FuzzTarget) -> Named {
    switch target {
    case .frames: frames
    case .hello: hello
    case .goodbye: goodbye
    case .failure: failure
    case .task: task
    case .result: result
    case .status: status
    case .txt: txt
    case .names: names
    case .sources: sources
    }
  }

  static func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// JSON in JSON, deeper than any value is and than decoders go (512).
  static func nested(_ open: String, _ close: String, depth: Int) -> [UInt8] {
    utf8(String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth))
  }
}
