import Foundation
import Synchronization

/// One reader process after the other: a reader that has ended is replaced when the next image needs one, if it can be.
final class ReaderLane: Sendable {
  typealias Spawn = @Sendable () throws(ReaderEnding) -> ReaderLink

  /// How to open an image once more, in a reader that does not know it.
  typealias Opening = () throws(ReaderEnding) -> OpenRequest

  fileprivate struct State {
    /// The reader; `nil` before the first is needed.
    var link: ReaderLink?
    /// Counts the readers.
    var generation = 0
    var isEnded = false
  }

  private let spawn: Spawn?
  private let state: Mutex<State>
  /// The images that are not used any more, and that the reader still has open.
  private let closed = Mutex<[Int]>([])

  /// - Parameters:
  ///   - link: the first reader; `nil` to spawn it when it is needed.
  ///   - spawner: makes further readers; `nil` if the first one is the only one.
  init(_ link: ReaderLink?, spawner: Spawn?) {
    state = Mutex(State(link: link))
    spawn = spawner
  }

  /// Ends the reader, if it has not ended. Current and later requests fail.
  func end() {
    let pid: pid_t? =
      state.withLockIfAvailable { state in
        state.isEnded = true
        state.link?.end(.ended)
        return nil
      } ?? busyReader.withLock { $0 }
    // The thread that waits for an answer will notice that the reader is gone.
    if let pid { kill(pid, SIGKILL) }
  }

  /// The reader that a thread waits for.
  private let busyReader = Mutex<pid_t?>(nil)

  /// Sends a request that concerns no open image, and waits for the answer.
  ///
  /// - Parameter bytes: the number of bytes that the reader may have to go through.
  /// - Throws: ``ReaderEnding``; without replacement, it may have happened in an earlier request.
  func ask(
    _ request: ReaderRequest, descriptors: [CInt] = [], bytes: Int
  ) throws(ReaderEnding) -> ReaderAnswer {
    try locked { state throws(ReaderEnding) in
      try state.ask(request, descriptors, bytes)
    }
  }

  /// Opens an image.
  ///
  /// - Returns: the answer, and the reader's generation, in which the image is open.
  /// - Throws: ``ReaderEnding``.
  func open(_ opening: Opening) throws(ReaderEnding) -> (ReaderAnswer, generation: Int) {
    try locked { state throws(ReaderEnding) in
      let answer = try self.open(opening, &state)
      return (answer, state.generation)
    }
  }

  /// Sends a request that concerns an open image, and waits for the answer. If the reader has been replaced since the
  /// image was opened, the image is opened again before.
  ///
  /// - Parameter generation: the reader's in which the image is open.
  /// - Throws: ``ReaderEnding``.
  func ask(
    _ request: ReaderRequest, openIn generation: inout Int, bytes: Int, reopening: Opening
  ) throws(ReaderEnding) -> ReaderAnswer {
    let known = generation
    let (answer, latest) = try locked {
      state throws(ReaderEnding) -> (ReaderAnswer, Int) in
      if state.generation != known {
        let answer = try self.open(reopening, &state)
        guard case .opened = answer else { return (answer, known) }
      }
      return (try state.ask(request, [], bytes), state.generation)
    }
    generation = latest
    return answer
  }

  /// The reader may close an image. It does so when it opens the next one.
  func close(_ image: Int) { closed.withLock { $0.append(image) } }

  /// Ends the reader because of an impossible answer.
  func refuse(_ answer: ReaderAnswer) -> ReaderEnding {
    let ending = ReaderEnding.impossibleAnswer("\(answer)".prefix(80).description.inOneLine)
    state.withLock { _ = $0.link?.end(ending) }
    return ending
  }

  private func open(
    _ opening: Opening, _ state: inout State
  ) throws(ReaderEnding) -> ReaderAnswer {
    let open = try opening()
    // The descriptors have to be open until they are sent.
    defer { withExtendedLifetime(open) {} }
    let closing = closed.withLock { closed in
      defer { closed = [] }
      return closed
    }
    return try state.ask(
      .open(
        image: open.image, size: open.file.size, extension: open.choice, closing: closing),
      open.descriptors, open.file.size)
  }

  /// Runs the closure with a reader that has not ended, if there is one or can be.
  private func locked<Result: Sendable>(
    _ body: (inout State) throws(ReaderEnding) -> Result
  ) throws(ReaderEnding) -> Result {
    let result = state.withLock { state in
      Swift.Result { () throws(ReaderEnding) in
        try replaceIfNeeded(&state)
        busyReader.withLock { $0 = state.link?.pid }
        defer { busyReader.withLock { $0 = nil } }
        return try body(&state)
      }
    }
    return try result.get()
  }

  private func replaceIfNeeded(_ state: inout State) throws(ReaderEnding) {
    if state.isEnded { throw .ended }
    guard let spawn, state.link == nil || state.link?.ending != nil else { return }
    let isFirst = state.link == nil
    state.link = try spawn()
    // The images of the one before are not open in this one.
    if !isFirst { state.generation += 1 }
    closed.withLock { $0 = [] }
  }
}

extension ReaderLane.State {
  fileprivate mutating func ask(
    _ request: ReaderRequest, _ descriptors: [CInt], _ bytes: Int
  ) throws(ReaderEnding) -> ReaderAnswer {
    guard link != nil else { throw .ended }
    // A copy of the link would be another account of its time.
    guard let answer = try link?.ask(request, descriptors, bytes) else { throw .ended }
    return answer
  }
}

/// What a reader needs to open an image.
struct OpenRequest {
  let image: Int
  let file: InputFile
  let choice: String?
  /// Receives the pixels.
  let memory: PixelMemory

  /// - Throws: ``ReaderEnding`` if the memory is not shared.
  init(
    image: Int, file: InputFile, choice: String?, memory: PixelMemory
  ) throws(ReaderEnding) {
    guard memory.descriptor != nil else { throw .closed }
    (self.image, self.file, self.choice, self.memory) = (image, file, choice, memory)
  }

  var descriptors: [CInt] { [file.descriptor] + (memory.descriptor.map { [$0] } ?? []) }
}
