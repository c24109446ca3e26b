import CProcess
import Foundation

/// What a keeper is told.
enum KeeperMessage: UInt8 {
  /// To run a program: a ``KeeperOrder``. The ends of pipes for its standard output and error
  /// accompany it, and its standard input if it has one.
  case order = 1
  /// To end the program that runs. If none does, it has just ended, and nothing is to be done.
  case stop = 2

  /// The longest message, in bytes: more words than any system gives a program, so that the kernel
  /// has the last word.
  static let longest = 64 << 20
}

/// A program to run, as it travels to the keeper: the number of arguments, and texts with a
/// zero byte after each.
struct KeeperOrder {
  /// Where the texts are: the program's file, its folder (empty for one of its own), that folder's number (empty if any
  /// is meant), its arguments, and its variables, such as `HOME=/root`.
  let texts: [Range<Int>]
  private let argumentCount: Int
  private let bytes: Data

  /// - Throws: ``ProgramFault``.
  static func bytes(
    for order: ProgramOrder, environment: ProgramEnvironment, slot: Int
  ) throws(ProgramFault) -> Data {
    var bytes = Data([KeeperMessage.order.rawValue])
    let count = UInt32(clamping: order.arguments.count).littleEndian
    withUnsafeBytes(of: count) { bytes.append(contentsOf: $0) }
    let number = order.directoryNumber.map { "\($0.device) \($0.inode)" }
    for text in [order.path, order.directory ?? "", number ?? ""] + order.arguments {
      guard !text.utf8.contains(0) else { throw .notAWord(text) }
      bytes.append(contentsOf: text.utf8)
      bytes.append(0)
    }
    try environment.append(order.variables, all: order.inheritsAll, slot: slot, to: &bytes)
    guard bytes.count <= KeeperMessage.longest else {
      throw .notStarted(.program(order.path), E2BIG)
    }
    return bytes
  }

  /// - Returns: `nil` if the bytes are no order.
  init?(_ bytes: Data) {
    let head = 5
    guard bytes.count > head, bytes.first == KeeperMessage.order.rawValue, bytes.last == 0 else {
      return nil
    }
    let arguments = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self) }
    var texts: [Range<Int>] = []
    bytes.withUnsafeBytes { room in
      var start = head
      while start < room.count {
        let length = strlen(room.baseAddress! + start)
        texts.append(start..<start + length)
        start += length + 1
      }
    }
    argumentCount = Int(UInt32(littleEndian: arguments))
    guard texts.count >= Self.leading + argumentCount else { return nil }
    (self.texts, self.bytes) = (texts, bytes)
  }

  /// How many texts come before the arguments.
  private static let leading = 3

  /// The folder to run in; `nil` for one of its own.
  var directory: String? { texts[1].isEmpty ? nil : text(1) }

  /// Whether this process is in the folder that is meant.
  var isInPlace: Bool {
    guard directory != nil, !texts[2].isEmpty else { return true }
    guard let here = FolderNumber.current else { return false }
    return text(2) == "\(here.device) \(here.inode)"
  }

  private func text(_ index: Int) -> String {
    String(decoding: bytes[texts[index]], as: UTF8.self)
  }

  /// Starts the program in the current directory.
  ///
  /// - Returns: its process, or the system's error.
  func start(input: CInt, output: CInt, errors: CInt) -> Result<pid_t, SpawnFailure> {
    bytes.withUnsafeBytes { room in
      let start = UnsafeMutableRawPointer(mutating: room.baseAddress!)
      let words: [UnsafeMutablePointer<CChar>?] = texts.map {
        (start + $0.lowerBound).assumingMemoryBound(to: CChar.self)
      }
      let end = Self.leading + argumentCount
      let arguments = words[Self.leading..<end] + [nil]
      let place = Self.place.map { strdup("PWD=\($0)") }
      defer { free(place ?? nil) }
      let variables = words[end...] + [place ?? nil, nil]
      var process: pid_t = 0
      let error = process_spawn(
        words[0]!, Array(arguments), Array(variables), input, output, errors, &process)
      return error == 0 ? .success(process) : .failure(SpawnFailure(number: error))
    }
  }

  /// The path of the folder in which this process is; `nil` if it has none that is UTF-8.
  private static var place: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(validatingCString: path)
  }

  struct SpawnFailure: Error { let number: CInt }
}
