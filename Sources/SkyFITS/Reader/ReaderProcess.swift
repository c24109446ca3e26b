import CProcess
import Foundation
import SkyDetection
import Synchronization

/// Processes that read FITS files for this one, so that a damaged or hostile file can crash, or take
/// over, only such a process.
///
/// On Linux, seccomp prevents them from opening files, connecting, tracing and starting processes
/// (see `docs/security.md`). Their memory and time are limited, and their answers are checked. There
/// are one or two readers at a time. A file that ends its reader costs no other image anything: those
/// that the reader had open are opened again in another one. All end with this process.
public final class ReaderProcess: Sendable {
  private let state: Mutex<State>

  private struct State {
    /// `nil` after ``ReaderProcess/end()``.
    var spawner: (any ReaderSource)?
    var pool = ReaderPool()
    /// The number of images that were opened.
    var images = 0
  }

  /// Forks off the process that starts readers. Call it at the very beginning of a program: before a
  /// second thread exists (so not after the first `await`), and before the program has read any
  /// secret. Readers have a copy of all memory at that time, except the environment, which is
  /// overwritten there.
  ///
  /// - Throws: `InvalidScan` if no process can be started.
  public static func start() throws -> ReaderProcess { ReaderProcess(try ReaderSpawner()) }

  init(_ source: any ReaderSource) { state = Mutex(State(spawner: source)) }

  deinit { end() }

  /// Ends all readers. Current and later reads fail.
  public func end() {
    let readers = state.withLockIfAvailable { state in
      state.spawner?.end()
      state.spawner = nil
      defer { state.pool.removeAll() }
      return state.pool.readers
    }
    for reader in readers ?? [] { reader.end(.ended) }
  }

  /// Lets a reader attempt what it must not be able to do, such as reading that file, connecting,
  /// forking, and tracing this process.
  ///
  /// - Returns: each operation with the system's error for it; 0 if the operation succeeded.
  /// - Throws: ``FITSError`` if the reader ended.
  package func probeSandbox(file: String) throws -> [(operation: String, error: CInt)] {
    do throws(ReaderEnding) {
      let (answer, reader) = try begin(.probeSandbox(file: file), bytes: 0)
      release(reader)
      guard case .probed(let trials) = answer else { throw refuse(answer, of: reader) }
      return trials.map { ($0.operation, $0.error) }
    } catch {
      throw error.error(path: file)
    }
  }

  /// The number of the next image.
  func nextImage() -> Int {
    state.withLock { state in
      state.images += 1
      return state.images
    }
  }

  /// Sends a request about a file that no reader has open, and waits for the answer.
  ///
  /// - Returns: the answer, and the reader that gave it. It counts as busy until
  ///   ``release(_:)``.
  /// - Throws: ``ReaderEnding`` if the request ended the reader, or there is none.
  func begin(
    _ request: ReaderRequest, descriptors: [CInt] = [], bytes: Int
  ) throws(ReaderEnding) -> (ReaderAnswer, Reader) {
    // The chosen reader may have ended meanwhile. Only a few can, unless all of them are killed.
    for _ in 0..<8 {
      let reader = try claim()
      do throws(Reader.Failure) {
        return (try reader.ask(request, descriptors: descriptors, bytes: bytes), reader)
      } catch {
        release(reader)
        if case .during(let ending) = error { throw ending }
      }
    }
    throw .closed
  }

  private func claim() throws(ReaderEnding) -> Reader {
    let result = state.withLock { state in
      Result { () throws(ReaderEnding) in
        guard var spawner = state.spawner else { throw .ended }
        defer { state.spawner = spawner }
        return try state.pool.claim { () throws(ReaderEnding) in Reader(try spawner.reader()) }
      }
    }
    return try result.get()
  }

  /// A file is no longer being opened, or an image that only the reader can decode is closed.
  func release(_ reader: Reader) { state.withLock { $0.pool.release(reader) } }

  /// Ends a reader because of an impossible answer.
  func refuse(_ answer: ReaderAnswer, of reader: Reader) -> ReaderEnding {
    let ending = ReaderEnding.impossibleAnswer("\(answer)".prefix(80).description.inOneLine)
    reader.end(ending)
    return ending
  }
}
