import Foundation
import SkyFiles
import SkyNetCommand
import SkyNetCore
import SkyPrograms
import Synchronization

/// Makes inputs of what the command line, a list and standard input name, on a thread of its own, a little ahead of the
/// run.
final class InputFeed: Sendable {
  /// How many inputs may be ready.
  private static let ahead = 1024

  private let reader: Mutex<InputReader>
  private let pieces: [InputPiece]
  private let total: Mutex<Int?>
  private let hasBegun = Atomic(false)
  private let isOver = Atomic(false)
  /// The room for inputs that are ready. It begins with none: a semaphore that ends with less than it began with ends
  /// the process.
  private let room = DispatchSemaphore(value: 0)
  private let (entries, made) = AsyncThrowingStream.makeStream(of: InputSupply.Entry.self)

  init(_ pieces: [InputPiece], _ reader: InputReader) {
    self.pieces = pieces
    self.reader = Mutex(reader)
    total = Mutex(
      pieces.reduce(0) { sum, piece in sum.flatMap { sum in piece.count.map { sum + $0 } } })
    for _ in 0..<Self.ahead { room.signal() }
  }

  /// How many inputs there will be; `nil` while that is not known.
  var count: Int? { total.withLock { $0 } }

  /// Earlier processes of the run had these inputs. Call it before the first ``next()``.
  func goOn(after past: PastInputs) { reader.withLock { $0.past = past } }

  /// Waits for the next input; `nil` if none is left.
  ///
  /// - Throws: ``InputFault``; `CancellationError`.
  func next() async throws -> InputSupply.Entry? {
    if !hasBegun.exchange(true, ordering: .relaxed) { begin() }
    var iterator = entries.makeAsyncIterator()
    let entry = try await iterator.next()
    // The stream ends when a task is cancelled that waits for it.
    try Task.checkCancellation()
    room.signal()
    return entry
  }

  private func begin() {
    made.onTermination = { [self] _ in
      isOver.store(true, ordering: .relaxed)
      room.signal()
    }
    // Reading waits, for as long as the inputs are written.
    let thread = Thread { [self] in
      do {
        try make()
        made.finish()
      } catch {
        made.finish(throwing: error)
      }
    }
    thread.name = "skynet.inputs"
    thread.start()
  }

  private func make() throws {
    var reader = reader.withLock { $0 }
    try reader.prepare(pieces)
    var place = 0
    for piece in pieces {
      let goesOn = try reader.each(of: piece, from: place) { entry in
        room.wait()
        guard !isOver.load(ordering: .relaxed) else { return false }
        place += 1
        made.yield(entry)
        return true
      }
      guard goesOn else { return }
    }
    total.withLock { $0 = place }
    reader.tellOfOwnFiles()
  }
}
