import Foundation

/// What a command prints for people and programs to read: all of it is written, or it is an error.
enum StandardOutput {
  static let name = "standard output"
  static let descriptor = FileHandle.standardOutput.fileDescriptor

  /// That what reads it went away is told by an error where it is written, the same for all commands,
  /// and not by a signal that ends some of them: a library that they need for peers turns that off.
  static func hasNoSignal() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Standard streams that were closed stay unused: the next file that is opened would else get their
  /// number, and lines for people would be written into a journal.
  static func reservePlaces() {
    for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // What cannot be read, or written, is still told.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// - Throws: ``OutputError``.
  static func write(_ data: some Collection<UInt8>) throws {
    if let failure = writeAll(ArraySlice(data), to: descriptor) {
      throw OutputError(path: name, failure: failure)
    }
  }

  /// - Throws: ``OutputError``.
  static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// - Throws: ``OutputError``.
  static func write(line: String) throws { try write(line + "\n") }
}
