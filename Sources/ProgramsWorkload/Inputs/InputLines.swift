import Foundation

/// The lines of standard input, or of a file, as they are written. Blocks the thread.
struct InputLines {
  /// The longest line, in bytes: what Linux allows one argument.
  static let longest = 128 << 10

  private let descriptor: CInt
  /// For people.
  private let name: String
  private var rest: [UInt8] = []
  /// Where the next line begins, and how far no end of it was found.
  private var (start, searched) = (0, 0)
  private var isAtEnd = false
  private var count = 0

  /// - Parameter path: `nil` for standard input.
  /// - Throws: ``InputFault``.
  init(path: String?) throws(InputFault) {
    name = path ?? "standard input"
    descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { throw .unreadable(name, String(cString: strerror(errno))) }
  }

  /// - Parameter descriptor: is not closed.
  init(reading descriptor: CInt, name: String) { (self.descriptor, self.name) = (descriptor, name) }

  /// The next line, without the byte that ends it; `nil` at the end.
  ///
  /// - Throws: ``InputFault``.
  mutating func next() throws(InputFault) -> [UInt8]? {
    while true {
      if let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { (start, searched) = (end + 1, end + 1) }
        return try line(Array(rest[start..<end]))
      }
      searched = rest.count
      guard searched - start <= Self.longest else { throw .lineTooLong(name, count + 1) }
      if isAtEnd {
        defer { (start, searched) = (rest.count, rest.count) }
        return start == rest.count ? nil : try line(Array(rest[start...]))
      }
      try fill()
    }
  }

  private mutating func line(_ bytes: [UInt8]) throws(InputFault) -> [UInt8] {
    count += 1
    guard bytes.count <= Self.longest else { throw .lineTooLong(name, count) }
    return bytes
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
    if read < 0, reason != EINTR { throw .unreadable(name, String(cString: strerror(reason))) }
    isAtEnd = read == 0
  }
}
