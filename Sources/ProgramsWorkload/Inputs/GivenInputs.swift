import Foundation
import SkyFiles
import SkyNetCommand
import SkyPrograms

/// Where inputs come from, in the order of the command line.
enum InputPiece: Hashable, Sendable {
  case words([String])
  /// The lines of a file; `nil` is standard input.
  case lines(path: String?)

  /// The words; none of lines.
  var words: [String] { if case .words(let words) = self { words } else { [] } }
  var areWords: Bool { if case .words = self { true } else { false } }
}

extension ProgramInputs {
  /// The inputs, with the files that patterns name.
  ///
  /// - Throws: ``InputFault`` if a pattern names none, or a list cannot be read.
  var pieces: [InputPiece] {
    get throws {
      var pieces: [InputPiece] = []
      var words: [String] = []
      for input in inputs {
        if input == "-" {
          if !words.isEmpty { pieces.append(.words(words)) }
          words = []
          pieces.append(.lines(path: nil))
        } else if let files = FilePattern.matches(input) {
          guard !files.isEmpty else { throw InputFault.noMatch(input) }
          words += files
        } else {
          words.append(input)
        }
      }
      if !words.isEmpty { pieces.append(.words(words)) }
      if inputsFrom == "-" { pieces.append(.lines(path: nil)) }
      if let list {
        guard access(list, R_OK) == 0 else {
          throw InputFault.unreadable(list, String(cString: strerror(errno)))
        }
        pieces.append(.lines(path: list))
      }
      return pieces
    }
  }
}

extension InputFacts {
  /// The facts of an input as it was given: of its columns, those that are files get absolute paths.
  init(given: String, place: Int) {
    var files: [File] = []
    let columns = given.split(separator: "\t", omittingEmptySubsequences: false).map { column in
      guard Self.mayBeFile(column), case let path = AbsolutePath.of(String(column)),
        access(path, F_OK) == 0
      else { return String(column) }
      files.append(File(path))
      return path
    }
    self.init(columns.joined(separator: "\t"), given: given, place: place, files: files)
  }

  /// A whole number is meant as one, also where a file has it as its name.
  private static func mayBeFile(_ column: Substring) -> Bool {
    !column.isEmpty && column.utf8.count < 4096
      && !column.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

/// Why there are no inputs.
enum InputFault: Error, Hashable, CustomStringConvertible {
  case noMatch(String)
  case unreadable(String, String)
  case lineTooLong(String, Int)

  var description: String {
    switch self {
    case .noMatch(let pattern):
      "--inputs \(ShellWord.quoted(pattern)): no file here has such a name: check the pattern and the folder, or give "
        + "words that only look like patterns by --inputs -"
    case .unreadable(let list, let reason):
      "\(list): the inputs cannot be read (\(reason)): check that it is a file that you may read"
    case .lineTooLong(let list, let line):
      "\(list): line \(line) has more than \(InputLines.longest >> 10) KiB: write one input a line"
    }
  }
}
