import CProcess
import Foundation
import SkyDetection
import SkyProcess

/// What starts readers.
protocol ReaderSource: Sendable {
  /// - Throws: ``ReaderEnding`` if no reader can be started.
  mutating func reader() throws(ReaderEnding) -> StartedReader
  /// No further readers are started. Those that run go on.
  mutating func end()
}

/// A process with one thread that starts readers, because this one cannot fork them any more once it
/// has threads and secrets. It gets no file, and no byte of one.
///
/// The readers are children of this process, not of the spawner.
struct ReaderSpawner: ReaderSource {
  private let pid: pid_t
  private let connection: ProcessSocket
  /// The socket to a reader that was asked for, and of which the spawner has not yet reported.
  private var ordered: CInt?
  /// Whether an answer did not come. A later one could be taken for that to another order.
  private var isLost = false

  /// The longest time that the spawner may take for an answer, in seconds.
  private static let patience = 15

  /// Forks off the spawner, and orders the first reader. See ``ReaderProcess/start()``.
  ///
  /// - Throws: `InvalidScan` if no process can be started.
  init() throws {
    do throws(ReaderEnding) {
      let (own, childs) = try Self.socketPair()
      let parent = getpid()
      let pid = process_fork()
      if pid == 0 { SpawnerChild.run(socket: childs, parent: parent) }
      let reason = errno
      close(childs)
      guard pid > 0 else {
        close(own)
        throw .notStarted(reason)
      }
      self.pid = pid
      connection = ProcessSocket(socket: own)
    } catch {
      throw InvalidScan(error.reason)
    }
    // The reader starts while this process does other things. An error is reported by `reader()`.
    try? order()
  }

  private mutating func order() throws(ReaderEnding) {
    let (own, childs) = try Self.socketPair()
    defer { close(childs) }
    do throws(ReaderEnding) {
      try connection.pass(SpawnerChild.order, descriptors: [childs])
    } catch {
      close(own)
      throw .noSpawner
    }
    ordered = own
  }

  /// Starts a reader.
  ///
  /// - Returns: the process, a child of this one, and the socket to it, which the caller closes.
  /// - Throws: ``ReaderEnding``.
  mutating func reader() throws(ReaderEnding) -> StartedReader {
    guard !isLost else { throw .noSpawner }
    if ordered == nil { try order() }
    guard let socket = ordered else { throw .noSpawner }
    ordered = nil
    do throws(ReaderEnding) {
      guard let (message, _) = connection.receive(atMost: 64),
        let report = try? SpawnerReport(message)
      else {
        isLost = true
        throw .noSpawner
      }
      switch report {
      case .started(let pid): return StartedReader(pid: pid, socket: socket)
      case .notStarted(let reason): throw .notStarted(reason)
      case .notConfined(let reason): throw .notConfined(reason)
      }
    } catch {
      close(socket)
      throw error
    }
  }

  /// Ends the spawner. Its readers go on.
  mutating func end() {
    if let ordered { close(ordered) }
    ordered = nil
    kill(pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    close(connection.socket)
  }

  private static func socketPair() throws(ReaderEnding) -> (own: CInt, others: CInt) {
    do throws(ProcessSocket.SystemError) {
      // A process that takes or gives nothing for that long never will.
      return try ProcessSocket.pair(patience: patience)
    } catch {
      throw .notStarted(error.number)
    }
  }
}

/// A reader that was just started: a child of this process, and the socket to it.
struct StartedReader {
  var pid: pid_t
  var socket: CInt
}

/// The spawner's answer to an order.
enum SpawnerReport {
  case started(pid_t)
  /// The system's error that prevented a fork.
  case notStarted(CInt)
  /// The system's error that prevented the spawner from confining itself.
  case notConfined(CInt)

  var bytes: Data {
    var writer = ByteWriter()
    let (kind, number): (UInt8, CInt) =
      switch self {
      case .started(let pid): (0, pid)
      case .notStarted(let reason): (1, reason)
      case .notConfined(let reason): (2, reason)
      }
    writer.write(kind)
    writer.write(number)
    return writer.bytes
  }

  /// - Throws: `InvalidScan` if the bytes are no report.
  init(_ bytes: Data) throws {
    var reader = ByteReader(bytes)
    let kind = try reader.read(UInt8.self)
    let number = try reader.read(CInt.self)
    switch kind {
    case 0 where number > 0: self = .started(number)
    case 1: self = .notStarted(number)
    case 2: self = .notConfined(number)
    default: throw InvalidScan("a report of kind \(kind)")
    }
  }
}
