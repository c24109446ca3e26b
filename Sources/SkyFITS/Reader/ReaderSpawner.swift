import CProcess
import Foundation

/// A process that forks readers for this one when it has many threads and secrets already. It is forked at the very
/// beginning, as the first reader is, and does nothing but fork.
///
/// A reader is needed anew when a damaged or hostile file has ended the one before, and other files are to be read.
final class ReaderSpawner: Sendable {
  private let connection: ReaderConnection

  /// Forks the spawner off; see ``ReaderProcess/start(canReplace:)``.
  ///
  /// - Throws: `InvalidScan` if no process can be started.
  static func start() throws -> ReaderSpawner {
    #if os(Linux)
      // So a reader is this process's child, whose end it can wait for, once the process between them is gone.
      process_adopt_orphans()
    #endif
    let ends = try ReaderProcess.socketPair()
    let parent = getpid()
    let pid = process_fork()
    if pid == 0 { SpawnerChild.run(socket: ends.child, parent: parent) }
    let reason = errno
    close(ends.child)
    guard pid > 0 else {
      close(ends.own)
      throw ReaderProcess.notStarted(reason)
    }
    return ReaderSpawner(ReaderConnection(socket: ends.own))
  }

  private init(_ connection: ReaderConnection) { self.connection = connection }

  deinit { close(connection.socket) }

  /// Has a reader forked. One thread at a time may call this.
  ///
  /// - Throws: `ReaderEnding` if there is no spawner any more, or no process can be started.
  func spawn() throws(ReaderEnding) -> ReaderLink {
    guard let ends = try? ReaderProcess.socketPair() else { throw .closed }
    defer { close(ends.child) }
    do throws(ReaderEnding) {
      try connection.send(Data([1]), descriptors: [ends.child])
      guard let (answer, _) = connection.receive(atMost: 8), answer.count == 8 else {
        throw .closed
      }
      let pid = answer.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) }
      guard pid > 0, let id = pid_t(exactly: pid) else { throw .closed }
      return ReaderLink(pid: id, socket: ends.own)
    } catch {
      close(ends.own)
      throw error
    }
  }
}

/// The main function of the spawner: it answers each message with the id of a new reader, which gets the descriptor
/// that came with it.
private enum SpawnerChild {
  static func run(socket: CInt, parent: pid_t) -> Never {
    ReaderChild.ignoreSignals()
    process_forget_environment()
    guard process_keep_descriptor(socket) == 0 else { _exit(1) }
    #if os(Linux)
      guard process_end_with_parent("skynet-spawner") == 0, getppid() == parent else { _exit(0) }
    #endif
    let connection = ReaderConnection(socket: 3)
    while let (_, descriptors) = connection.receive(atMost: 1) {
      guard let descriptor = descriptors.first else { _exit(1) }
      var answer = Int64(spawn(descriptor, parent: parent)).littleEndian
      close(descriptor)
      guard (try? connection.send(withUnsafeBytes(of: &answer) { Data($0) })) != nil else { break }
    }
    _exit(0)
  }

  /// Forks a process that forks the reader and ends, so that the reader becomes a child of the spawner's parent.
  /// Returns the reader's id; 0 if it could not be forked.
  private static func spawn(_ descriptor: CInt, parent: pid_t) -> pid_t {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return 0 }
    let between = process_fork()
    if between == 0 {
      var reader = process_fork()
      if reader == 0 {
        close(ends[0])
        close(ends[1])
        ReaderChild.runAdopted(socket: descriptor, by: parent)
      }
      _ = write(ends[1], &reader, MemoryLayout<pid_t>.size)
      _exit(0)
    }
    close(ends[1])
    var reader: pid_t = 0
    let count = between > 0 ? read(ends[0], &reader, MemoryLayout<pid_t>.size) : 0
    close(ends[0])
    if between > 0 { waitpid(between, nil, 0) }
    return count == MemoryLayout<pid_t>.size ? max(0, reader) : 0
  }
}
