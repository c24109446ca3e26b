import SkyNetFuzz

/// The first inputs of fuzzing: examples of each kind of input, and edge cases.
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
    case .packed: packed
    }
  }

  static func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// JSON that is nested deeper than any valid value, and deeper than decoders go (512).
  static func nested(_ open: String, _ close: String, depth: Int) -> [UInt8] {
    utf8(String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth))
  }
}
