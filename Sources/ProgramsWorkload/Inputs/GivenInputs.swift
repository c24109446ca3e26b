import Foundation
import SkyFiles
import SkyNetCommand
import SkyPrograms

/// Where inputs come from, in the order of the command line.
enum InputPiece: Hashable, Sendable {
  case words([String])
  /// What a pattern names.
  case matches([String], of: String)
  case list(InputList)

  /// How many inputs it has; `nil` if that is not known.
  var count: Int? {
    switch self {
    case .words(let inputs), .matches(let inputs, _): inputs.count
    case .list: nil
    }
  }

  var isPattern: Bool { if case .matches = self { true } else { false } }
}

/// Inputs of which each has an end.
struct InputList: Hashable, Sendable {
  /// `nil` is standard input.
  let path: String?
  /// The byte that ends each input.
  var end = UInt8(ascii: "\n")

  /// Whether each input is one column, whatever it has in it.
  var isOfWholes: Bool { end == 0 }

  /// Whether it is a file that can be read before it is run.
  var isFile: Bool { path.map { FileIdentity.isFile($0) } ?? false }
}

extension ProgramInputs {
  /// The inputs, with the files that patterns name.
  ///
  /// - Parameters:
  ///   - null: whether lists have a NUL character behind each input, not a line's end.
  ///   - goesOn: whether the run is one that goes on, whose programs may have moved all that a pattern named.
  /// - Throws: ``InputFault`` if a pattern names none, or may be a file's name, or a list cannot be read.
  func pieces(null: Bool = false, goesOn: Bool = false) throws -> [InputPiece] {
    func list(_ path: String?) -> InputPiece {
      .list(InputList(path: path, end: null ? 0 : UInt8(ascii: "\n")))
    }
    if let (word, other) = FilePattern.ambiguity(in: inputs) {
      throw InputFault.ambiguous(word, other: other)
    }
    var pieces: [InputPiece] = []
    for input in inputs {
      if input == "-" {
        pieces.append(list(nil))
      } else if let files = FilePattern.matches(input) {
        guard !files.isEmpty || goesOn else { throw InputFault.noMatch(input) }
        pieces.append(.matches(files, of: input))
      } else if case .words(let words)? = pieces.last {
        pieces[pieces.count - 1] = .words(words + [input])
      } else {
        pieces.append(.words([input]))
      }
    }
    if inputsFrom == "-" { pieces.append(list(nil)) }
    if let path = listFile {
      guard access(path, R_OK) == 0 else {
        throw InputFault.unreadable(path, String(cString: strerror(errno)))
      }
      pieces.append(list(path))
    }
    return pieces
  }
}

/// Why there are no inputs.
enum InputFault: Error, Hashable, CustomStringConvertible {
  case noMatch(String)
  case ambiguous(String, other: String)
  case unreadable(String, String)

  var description: String {
    switch self {
    case .noMatch(let pattern):
      "--inputs \(ShellWord.quoted(pattern)): no file here has such a name: check the pattern and the folder, or give "
        + "words that only look like patterns by --inputs -"
    case .ambiguous(let word, let other):
      "--inputs \(ShellWord.quoted(word)) is a file's name, and a pattern that names \(other) too: rename that file, or "
        + "give the inputs as a list by --inputs -"
    case .unreadable(let list, let reason):
      "\(list): the inputs cannot be read (\(reason)): check that it is a file that you may read"
    }
  }
}
