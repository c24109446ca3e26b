import Foundation

/// Standard output, for what people and programs read: a command writes all of it, or fails.
package enum StandardOutput {
  package static let name = "standard output"
  package static let descriptor = FileHandle.standardOutput.fileDescriptor
  package static let isTerminal = isatty(descriptor) == 1

  /// Makes a write to a closed pipe fail with an error instead of ending the process by a signal,
  /// for all commands. (For commands that connect to peers, the network library does the same.)
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Opens `/dev/null` in place of standard streams that are closed. Otherwise the next file that
  /// is opened, a journal perhaps, would get the stream's number, and messages would be written
  /// into it.
  package static func reserveDescriptors() {
    for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // Opened the wrong way around, so that reading or writing the stream is still an error.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// A terminal is shown control characters other than line feeds and tabs as escapes.
  ///
  /// - Throws: ``OutputError``.
  package static func write(_ data: some Collection<UInt8>) throws {
    let bytes = isTerminal ? data.linesShowingControls[...] : ArraySlice(data)
    if let failure = writeAll(bytes, to: descriptor) {
      throw OutputError(path: name, failure: failure)
    }
  }

  /// - Throws: ``OutputError``.
  package static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// - Throws: ``OutputError``.
  package static func write(line: String) throws { try write(line + "\n") }
}
