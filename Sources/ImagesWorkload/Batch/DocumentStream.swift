import SkyCatalog
import SkyFiles
import SkyNetCommand
import SkyScan
import Synchronization

/// The documents of an engagement's sectors, written to a file as they come, in any order. The file gets its name when
/// it is complete; else it stays as it was.
final class DocumentStream: Sendable {
  private let file: OutputFile
  private let writing: Mutex<OutputFile.Writing?>

  /// - Throws: `OutputFileError`.
  init(file: String) throws {
    self.file = try OutputFile(path: file)
    writing = Mutex(try self.file.begin())
  }

  deinit { abandon() }

  /// - Throws: `OutputFileError`.
  func append(_ document: SectorDocument) throws {
    let line = try DocumentOutput.line(document)
    try writing.withLock { if let writing = $0 { try file.append(line, to: writing) } }
  }

  /// - Throws: `OutputFileError`.
  func complete() throws {
    try writing.withLock { open in
      guard let writing = open else { return }
      try file.complete(writing)
      open = nil
    }
  }

  /// Leaves the file as it was, unless it is complete.
  func abandon() {
    writing.withLock { open in
      if let writing = open { file.abandon(writing) }
      open = nil
    }
  }
}
