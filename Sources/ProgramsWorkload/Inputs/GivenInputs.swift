import Foundation
import SkyFiles
import SkyNetCommand
import SkyPrograms

/// Where inputs come from, in the order of the command line.
enum InputPiece: Hashable, Sendable {
  case words([String])
  /// The files that a pattern names.
  case files([String])
  case list(InputList)

  /// How many inputs it has; `nil` if that is not known.
  var count: Int? {
    switch self {
    case .words(let inputs), .files(let inputs): inputs.count
    case .list: nil
    }
  }

  /// The facts of its inputs, of which the first has this place; `nil` of a list.
  func facts(from place: Int) -> [InputFacts]? {
    switch self {
    case .words(let words): words.enumerated().map { InputFacts(given: $1, place: place + $0) }
    case .files(let files): files.enumerated().map { InputFacts(file: $1, place: place + $0) }
    case .list: nil
    }
  }
}

/// Inputs of which each has an end.
struct InputList: Hashable, Sendable {
  /// `nil` is standard input.
  let path: String?
  /// The byte that ends each input.
  var end = UInt8(ascii: "\n")

  /// Whether it is a file that can be read before it is run.
  var isFile: Bool {
    var status = stat()
    guard let path, stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG
  }
}

extension ProgramInputs {
  /// The inputs, with the files that patterns name.
  ///
  /// - Parameter null: whether lists have a NUL character behind each input, not a line's end.
  /// - Throws: ``InputFault`` if a pattern names none, or a list cannot be read.
  func pieces(null: Bool = false) throws -> [InputPiece] {
    func list(_ path: String?) -> InputPiece {
      .list(InputList(path: path, end: null ? 0 : UInt8(ascii: "\n")))
    }
    var pieces: [InputPiece] = []
    for input in inputs {
      if input == "-" {
        pieces.append(list(nil))
      } else if let files = FilePattern.matches(input) {
        guard !files.isEmpty else { throw InputFault.noMatch(input) }
        pieces.append(.files(files))
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

extension InputFacts {
  /// The facts of an input as it was given: of its columns, those that are files get absolute paths. A whole number is
  /// meant as one, also where a file has it as its name.
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

  /// The facts of a file that was given as one, whatever its name is.
  init(file: String, place: Int) {
    let path = AbsolutePath.of(file)
    self.init(path, given: file, place: place, files: [File(path)])
  }

  private static func mayBeFile(_ column: Substring) -> Bool {
    !column.isEmpty && column.utf8.count < 4096
      && !column.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

/// Why there are no inputs.
enum InputFault: Error, Hashable, CustomStringConvertible {
  case noMatch(String)
  case unreadable(String, String)

  var description: String {
    switch self {
    case .noMatch(let pattern):
      "--inputs \(ShellWord.quoted(pattern)): no file here has such a name: check the pattern and the folder, or give "
        + "words that only look like patterns by --inputs -"
    case .unreadable(let list, let reason):
      "\(list): the inputs cannot be read (\(reason)): check that it is a file that you may read"
    }
  }
}
