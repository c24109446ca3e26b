import Foundation
import Synchronization

/// Sees that a journal's file, its log and its shared memory are still those that are open. SQLite
/// would go on in files without a name, and move what is left of a log into the file.
final class JournalWatch: Sendable {
  private struct State {
    var file: GrowingFile
    var log: GrowingFile
    let memory: SharedMemory?
    var loss: JournalError?
  }

  private let path: String
  private let lock: FileLock
  private let state: Mutex<State>

  /// - Parameter lock: the one on the journal's file; no further descriptor of that is opened, as
  ///   closing one would let go of SQLite's locks.
  init(path: String, lock: FileLock) {
    self.path = path
    self.lock = lock
    // The SQLite file format, sections 1.3 and 4.1; the last byte of the log's mark is the byte order.
    state = Mutex(
      State(
        file: GrowingFile(path: path, start: Array("SQLite format 3\0".utf8)),
        log: GrowingFile(path: JournalFile.log(of: path), start: [0x37, 0x7f, 0x06]),
        memory: SharedMemory(of: path)))
  }

  /// Whether something was found to be wrong. Then nothing may be written to the files any more.
  var isLost: Bool { state.withLock { $0.loss != nil } }

  /// - Parameter log: a descriptor of the log, for reading.
  /// - Throws: ``JournalError`` if the file or its log was deleted, moved, replaced or truncated, or
  ///   its shared memory deleted, moved or replaced.
  func check(log: CInt) throws {
    try state.withLock { state in
      if let loss = state.loss { throw loss }
      if let fault = lock.withDescriptor({ $0.flatMap { state.file.fault($0) } }) {
        state.loss = error(fault)
      } else if let fault = state.log.fault(log) {
        state.loss = error(fault, ofLog: true)
      } else if let words = state.memory?.fault() {
        state.loss = JournalError(
          .lost, path,
          "its shared memory \(SharedMemory.path(of: path)): \(words); what was recorded is kept: start "
            + "the same command again")
      }
      if let loss = state.loss { throw loss }
    }
  }

  private func error(_ fault: GrowingFile.Fault, ofLog: Bool = false) -> JournalError {
    let subject = ofLog ? "its log \(JournalFile.log(of: path)): " : ""
    let next =
      switch fault {
      case .moved:
        "put it and its -wal back, and start the same command again"
      case .deleted, .replaced, .truncated:
        "what it held cannot be relied on: put a copy of it in its place, or remove what is left of "
          + "it and its -wal, and start the same command again"
      case .hidden: "see to its directory and disk, and start the same command again"
      }
    return JournalError(.lost, path, "\(subject)\(fault); \(next)")
  }
}
