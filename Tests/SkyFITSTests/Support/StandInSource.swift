import Foundation
import SkyDetection
import SkyProcess
import Synchronization

@testable import SkyFITS

/// Starts stand-ins for readers, for tests of many images: a thread of the test answers, and a child
/// process is there to be ended.
struct StandInSource: ReaderSource {
  let log = Log()
  /// Whether a request ends its reader before it is answered.
  var isFatal: @Sendable (ReaderRequest) -> Bool = { _ in false }

  /// What the readers were asked for.
  final class Log: Sendable {
    private let state = Mutex((readers: 0, open: Set<Int>(), places: [Int: Int]()))

    /// The number of readers that were started.
    var readers: Int { state.withLock { $0.readers } }
    /// The images that readers have open.
    var open: Int { state.withLock { $0.open.count } }
    /// The reader that opened each image, from 1.
    var places: [Int: Int] { state.withLock { $0.places } }

    fileprivate func begin() -> Int {
      state.withLock { state in
        state.readers += 1
        return state.readers
      }
    }

    fileprivate func note(_ request: ReaderRequest, _ reader: Int) {
      state.withLock { state in
        if case .open(let image, _, _, _) = request {
          state.open.insert(image)
          state.places[image] = reader
        } else if case .close(let image) = request {
          state.open.remove(image)
        }
      }
    }
  }

  func reader() throws(ReaderEnding) -> StartedReader {
    guard let child = try? StandInReader("/bin/sleep", "1000") else { throw .noSpawner }
    let (number, log, isFatal) = (log.begin(), log, isFatal)
    Thread.detachNewThread {
      let connection = ProcessSocket(socket: child.childEnd)
      var server = ReaderServer(parent: 0)
      while let (message, descriptors) = connection.receive(atMost: ReaderLimits.answer) {
        guard let request = try? ReaderRequest(message), !isFatal(request) else { break }
        log.note(request, number)
        if let answer = server.answer(request, descriptors) { try? connection.pass(answer.bytes) }
        for descriptor in descriptors { close(descriptor) }
      }
      kill(child.pid, SIGSEGV)
      close(child.childEnd)
    }
    return StartedReader(pid: child.pid, socket: child.socket)
  }

  func end() {}
}
