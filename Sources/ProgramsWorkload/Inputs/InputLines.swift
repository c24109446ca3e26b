import Foundation
import SkyFiles

/// The lines of standard input, or of a file, as they are written. Blocks the thread.
struct InputLines {
  /// The longest line, in bytes: what Linux allows one argument.
  static let longest = 128 << 10
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  enum Line: Hashable {
    case line([UInt8])
    /// The beginning of a line that is too long.
    case tooLong([UInt8])

    /// The line as an input.
    var text: Result<String, NoInput> {
      switch self {
      case .tooLong(let bytes):
        return .failure(
          NoInput(
            bytes, "the input has more than \(longest >> 10) KiB: write one input a line"))
      case .line(let bytes):
        guard !bytes.contains(0) else {
          return .failure(
            NoInput(
              bytes,
              "the input has a NUL character, which no argument can have: --null is for inputs that end in one, as "
                + "`find -print0` writes them"))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
          return .failure(
            NoInput(bytes, "the input is no text in UTF-8: write it in that encoding"))
        }
        return .success(text)
      }
    }
  }

  /// Why a line is no input.
  struct NoInput: Error {
    /// The line for people.
    let text: String
    let reason: String

    init(_ bytes: [UInt8], _ reason: String) {
      (text, self.reason) = (String(decoding: bytes, as: UTF8.self), reason)
    }
  }

  private let descriptor: CInt
  /// For people.
  private let name: String
  /// The byte that ends a line.
  private let end: UInt8
  private var rest: [UInt8] = []
  /// Where the next line begins, and how far no end of it was found.
  private var (start, searched) = (0, 0)
  private var isAtEnd = false
  private var isFirst = true
  /// The beginning of a line of which the rest is passed over.
  private var tooLong: [UInt8]?

  /// - Throws: ``InputFault``.
  init(_ list: InputList) throws(InputFault) {
    (name, end) = (list.path ?? "standard input", list.end)
    descriptor =
      list.path.map { path in
        NamedPipe.mayWait(for: path) { open(path, O_RDONLY | O_CLOEXEC) }
      } ?? STDIN_FILENO
    guard descriptor >= 0 else { throw .unreadable(name, String(cString: strerror(errno))) }
  }

  /// - Parameter descriptor: is not closed.
  init(reading descriptor: CInt, name: String) {
    (self.descriptor, self.name, end) = (descriptor, name, UInt8(ascii: "\n"))
  }

  /// The next line, without the byte that ends it; `nil` at the end.
  ///
  /// - Throws: ``InputFault``.
  mutating func next() throws(InputFault) -> Line? {
    while true {
      if let end = rest[searched...].firstIndex(of: end) {
        defer { (start, searched) = (end + 1, end + 1) }
        return line(rest[start..<end])
      }
      searched = rest.count
      if searched - start > Self.longest {
        if tooLong == nil { tooLong = Array(rest[start...].prefix(1024)) }
        start = searched
      }
      if isAtEnd {
        defer { (start, searched) = (rest.count, rest.count) }
        return start == rest.count && tooLong == nil ? nil : line(rest[start...])
      }
      try fill()
    }
  }

  private mutating func line(_ bytes: ArraySlice<UInt8>) -> Line {
    defer { (tooLong, isFirst) = (nil, false) }
    if let tooLong { return .tooLong(tooLong) }
    var bytes = bytes
    if end == UInt8(ascii: "\n") {
      // As editors of Windows write lists. Inputs that end in NUL are bytes as they are.
      if isFirst, bytes.starts(with: Self.byteOrderMark) { bytes = bytes.dropFirst(3) }
      if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    }
    return bytes.count <= Self.longest ? .line(Array(bytes)) : .tooLong(Array(bytes.prefix(1024)))
  }

  /// Reads what there is, and waits if that is nothing.
  private mutating func fill() throws(InputFault) {
    rest.removeFirst(start)
    searched -= start
    start = 0
    let old = rest.count
    rest.append(contentsOf: repeatElement(0, count: 1 << 16))
    let read = rest.withUnsafeMutableBytes {
      Foundation.read(descriptor, $0.baseAddress! + old, 1 << 16)
    }
    let reason = errno
    rest.removeLast((1 << 16) - max(0, read))
    isAtEnd = read == 0
    guard read < 0 else { return }
    switch reason {
    case EINTR: break
    case EAGAIN:  // Another process has said that none shall wait for this pipe or terminal.
      var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&file, 1, -1)
    default: throw .unreadable(name, String(cString: strerror(reason)))
    }
  }
}
