import Foundation
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

    /// What asks for it, for people.
    var option: String {
      switch self {
      case .text: "a text"
      case .json: "--json-output"
      case .bytes: "--output"
      }
    }
  }

  /// The largest output that may become a result, in bytes.
  public static let resultLimit = 16 << 20
  /// The largest output that a node takes from a program, in bytes.
  public static let outputLimit = 256 << 20

  /// The program and its arguments, with placeholders for the input; see `docs/programs.md`. A program with a slash in
  /// its name is found from the folder in which it runs, and any other by the system's own PATH.
  public var words: [String]
  /// The absolute path of the folder in which the program runs, by default the one in which this process is. A system
  /// that does not see that folder runs the program in an empty one of its own, unless something in it is needed.
  /// `nil` for such an empty folder everywhere, which is removed afterwards.
  public var directory: String?
  /// What the program needs of the folder: the relative names of files among the words.
  public var files: [String]?
  /// Files of which the engaging system tells its version, so that other systems say where theirs differ.
  package var watched: [WatchedFile]?
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
  public init(_ words: [String]) {
    self.words = words
    directory = FileManager.workingFolder
  }

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
    guard
      directory != nil || !program.hasSlash || program.isAbsolutePath
        || ProgramTemplate([program]).hasPlaceholders
    else {
      throw UnmendableFailure(
        "an empty folder has no program \(program): give its absolute path, or leave --directory out"
      )
    }
    guard (0...Self.outputLimit).contains(outputLimit) else {
      throw UnmendableFailure("an output of \(outputLimit) bytes is more than a node takes")
    }
  }
}

extension ProgramSettings {
  /// The path by which this process finds what a program of the run finds under a name.
  ///
  /// - Returns: `nil` if an empty folder has nothing under it.
  package func path(of name: String) -> String? {
    name.isAbsolutePath ? name : directory.map { AbsolutePath.of(name, in: $0) }
  }

  /// The regular files here that a word names to the program: the word itself, or what follows an equals sign in it.
  package func files(namedBy word: String) -> [String] {
    let value = word.utf8.firstIndex(of: UInt8(ascii: "=")).map {
      String(word[word.utf8.index(after: $0)...])
    }
    return [word, value].compactMap(\.self).filter { isFile($0) }
  }

  /// Whether a name leads a program of the run to a regular file.
  package func isFile(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count < PATH_MAX, let path = path(of: name) else { return false }
    return FileIdentity.isFile(path)
  }
}
