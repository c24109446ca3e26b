import SkyNetCore
import Synchronization

/// A job of one pass over the inputs of a sequence, each of which is a part with one sector. A sector's result is its
/// scan's output.
struct InputsJob<Work: Scan>: GrowableJob, JobWithScan {
  static var part: RunWords.Noun { RunWords.Noun("input", "inputs") }

  let scan: Work
  let settings: Work.Settings
  let feed: InputFeed<Work.Sector>
  var isLight: Bool { true }

  func nextPart() async throws -> JobPart? {
    guard let number = try await feed.next() else { return nil }
    return JobPart(number: number, sectors: number..<number + 1, name: "input \(number)")
  }

  func sector(for task: TaskID) throws -> Work.Sector {
    // Another attempt may have ended the sector meanwhile.
    guard let input = feed.input(task.sector) else { throw CancellationError() }
    return input
  }

  func receive(_ output: Work.Output, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }

  mutating func ended(_ part: JobPart) { feed.drop(part.number) }
}

/// Takes inputs from a sequence one by one, as a job asks for them, and keeps each until the job drops it.
///
/// The job asks in a child of its run, and another task iterates over the sequence: an iterator may be used by one task
/// alone. The inputs have a lock, as attempts look them up on any thread.
final class InputFeed<Input: Sendable>: Sendable {
  private struct State {
    /// How many inputs were taken.
    var taken = 0
    var inputs: [Int: Input] = [:]
  }

  private let state = Mutex(State())
  /// The job's questions for its next input. There is one at a time.
  private let questions = AsyncStream.makeStream(of: OneShot<Int?>.self)

  /// Asks for the next input, and waits for it.
  ///
  /// - Returns: its number; `nil` at the sequence's end.
  /// - Throws: the sequence's error; `CancellationError`.
  func next() async throws -> Int? {
    let answer = OneShot<Int?>()
    questions.continuation.yield(answer)
    return try await answer.value()
  }

  func input(_ number: Int) -> Input? { state.withLock { $0.inputs[number] } }

  func drop(_ number: Int) {
    // The input is freed without the lock, as its author's code may run then.
    _ = state.withLock { $0.inputs.removeValue(forKey: number) }
  }

  /// Takes an input whenever the job asks for one, until the sequence ends or the task is cancelled.
  func give<Inputs: AsyncSequence & Sendable>(
    _ sequence: Inputs
  ) async where Inputs.Element == Input {
    var iterator = sequence.makeAsyncIterator()
    for await question in questions.stream {
      do {
        let input = try await iterator.next()
        question.complete(.success(input.map(add)))
        if input == nil { return }
      } catch {
        question.complete(.failure(error))
        return
      }
    }
  }

  private func add(_ input: Input) -> Int {
    state.withLock { state in
      defer { state.taken += 1 }
      state.inputs[state.taken] = input
      return state.taken
    }
  }
}
