import Foundation
import Synchronization

/// Checks that a journal's file, its log and its shared memory are still those that are open.
/// SQLite would go on in files without a name, and move the rest of a truncated log into the file.
///
/// A file that became shorter is not lost if all of the journal can be read: another program's SQLite has moved the log
/// into the file (`PRAGMA wal_checkpoint(TRUNCATE)`), or packed the file (`VACUUM`).
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

  /// - Parameter lock: the lock on the journal's file. Its descriptor is used, since closing
  ///   another one would lose SQLite's locks.
  init(path: String, lock: FileLock) {
    self.path = path
    self.lock = lock
    // The SQLite file format, sections 1.3 and 4.1. The last byte of the log's magic number is the
    // byte order.
    state = Mutex(
      State(
        file: GrowingFile(path: path, start: Array("SQLite format 3\0".utf8)),
        log: GrowingFile(path: JournalFile.log(of: path), start: [0x37, 0x7f, 0x06]),
        memory: SharedMemory(of: path)))
  }

  /// Whether a check found a fault. Nothing may be written to the files any more then.
  var isLost: Bool { state.withLock { $0.loss != nil } }

  /// - Parameter log: a readable descriptor of the log.
  /// - Throws: ``JournalError`` if the file or its log was deleted, moved, replaced or truncated,
  ///   or the shared memory deleted, moved or replaced.
  func check(log: CInt) throws {
    try state.withLock { state in
      if let loss = state.loss { throw loss }
      if let fault = lock.withDescriptor({ $0.flatMap { fault(of: &state.file, $0) } }) {
        state.loss = error(fault)
      } else if let fault = fault(of: &state.log, log) {
        state.loss = error(fault, ofLog: true)
      } else if let fault = state.memory?.fault() {
        state.loss = JournalError(
          .lost, path,
          "its shared memory \(SharedMemory.path(of: path)): \(fault); what was recorded is kept: start "
            + "the same command again")
      }
      if let loss = state.loss { throw loss }
    }
  }

  private func fault(of file: inout GrowingFile, _ descriptor: CInt) -> GrowingFile.Fault? {
    guard let fault = file.fault(descriptor) else { return nil }
    guard case .truncated = fault, canBeRead else { return fault }
    file.takeAsWhole()
    return file.fault(descriptor)
  }

  /// Whether SQLite reads the whole journal. The reader is a connection of its own, which has no page in memory, and
  /// finds by the shared memory what should be in the log.
  private var canBeRead: Bool {
    (try? JournalReader.read(path) { try Inspection.checkContents($0, path) }) != nil
  }

  /// None of the next steps is to remove a file: whatever happened, it may be the last one that has the results.
  private func error(_ fault: GrowingFile.Fault, ofLog: Bool = false) -> JournalError {
    let subject = ofLog ? "its log \(JournalFile.log(of: path)): " : ""
    let again = "start the same command again"
    let next =
      switch fault {
      case .moved: "put it and its -wal back, and \(again)"
      case .hidden: "check its directory and disk, and \(again)"
      case .replaced where ofLog:
        "what was recorded last is lost: move the other file elsewhere, and \(again)"
      case .deleted where ofLog, .truncated where ofLog: "what was recorded last is lost: \(again)"
      case .deleted, .replaced, .truncated:
        "\(again) with another journal, or with a copy of this one under another name"
      }
    return JournalError(.lost, path, "\(subject)\(fault); \(next)")
  }
}
