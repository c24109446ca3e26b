import SkyFiles
import SkyNetCore

/// What the scans of a run have in common: the program, and how it is run.
public struct ProgramSettings: Codable, Hashable, Sendable {
  /// What the program's standard output has to be.
  public enum Form: String, Codable, Sendable {
    /// UTF-8.
    case text
    /// One JSON value.
    case json
    /// Any bytes.
    case bytes
  }

  /// The largest output that may become a result, in bytes.
  public static let resultLimit = 16 << 20
  /// The largest output that a node takes from a program, in bytes.
  public static let outputLimit = 256 << 20

  /// The program and its arguments, with placeholders for the input; see `docs/programs.md`. A program with a slash in
  /// its name has an absolute path. Any other is found by the node's own PATH.
  public var words: [String]
  /// The absolute path of the folder in which the program runs; `nil` for an empty one of its own, which is removed
  /// afterwards.
  public var directory: String?
  /// The names of the engaging process's variables that the program gets.
  public var variables: [String]?
  /// Whether the program reads the input, as one line, from its standard input, which has nothing otherwise.
  public var givesInput = false
  /// The exit statuses after which the sector is not tried again.
  public var failFast: [Int] = []
  public var form = Form.text
  /// A program with a larger output, in bytes, is ended, and its sector given up.
  public var outputLimit = Self.resultLimit
  /// Whether the output has what the program wrote to standard error.
  public var sendsErrors = false

  /// - Parameter words: the program and its arguments, at least the program.
  public init(_ words: [String]) { self.words = words }

  /// - Throws: `UnmendableFailure` if no program could be run so.
  func check() throws(UnmendableFailure) {
    guard let program = words.first, !program.isEmpty else {
      throw UnmendableFailure("no program is named")
    }
    guard !words.joined().utf8.contains(0), directory?.utf8.contains(0) != true else {
      throw UnmendableFailure("a word has a NUL character, which no argument can have")
    }
    guard directory?.isAbsolutePath != false else {
      throw UnmendableFailure("the program's folder is no absolute path")
    }
    guard (0...Self.outputLimit).contains(outputLimit) else {
      throw UnmendableFailure("an output of \(outputLimit) bytes is more than a node takes")
    }
  }
}
