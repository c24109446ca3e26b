import Foundation
import SkyNetCommand
import SkyNetCore
import SkyPrograms
import Synchronization

/// Makes inputs of what the command line, a list and standard input name, on a thread of its own, a little ahead of the
/// run.
final class InputFeed: Sendable {
  /// How many inputs may be ready.
  private static let ahead = 1024

  private let pieces: [InputPiece]
  private let names: OutputNames?
  private let claims: Mutex<OutputClaims>
  private let total: Mutex<Int?>
  private let hasBegun = Atomic(false)
  private let isOver = Atomic(false)
  /// The room for inputs that are ready. It begins with none: a semaphore that ends with less than it began with ends
  /// the process.
  private let room = DispatchSemaphore(value: 0)
  private let (entries, made) = AsyncThrowingStream.makeStream(of: InputSupply.Entry.self)

  /// - Parameters:
  ///   - names: the names of outputs' files, if outputs become files.
  ///   - claims: has the files of all words already.
  init(_ pieces: [InputPiece], _ names: OutputNames?, _ claims: OutputClaims) {
    (self.pieces, self.names) = (pieces, names)
    self.claims = Mutex(claims)
    let isKnown = pieces.allSatisfy(\.areWords)
    total = Mutex(isKnown ? pieces.reduce(0) { $0 + $1.words.count } : nil)
    for _ in 0..<Self.ahead { room.signal() }
  }

  /// How many inputs there will be; `nil` while that is not known.
  var count: Int? { total.withLock { $0 } }

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
    var place = 0
    /// Returns `false` once no more are wanted.
    func add(_ entry: InputSupply.Entry) -> Bool {
      room.wait()
      guard !isOver.load(ordering: .relaxed) else { return false }
      place += 1
      made.yield(entry)
      return true
    }
    for piece in pieces {
      switch piece {
      case .words(let words):
        for word in words {
          let facts = InputFacts(given: word, place: place)
          guard add(InputSupply.Entry(name: Self.name(word), facts: facts)) else { return }
        }
      case .lines(let path):
        var lines = try InputLines(path: path)
        while let line = try lines.next() {
          guard add(entry(line, place: place)) else { return }
        }
      }
    }
    total.withLock { $0 = place }
  }

  private func entry(_ line: [UInt8], place: Int) -> InputSupply.Entry {
    let given = String(decoding: line, as: UTF8.self)
    let name = Self.name(given)
    guard !line.contains(0), String(validating: line, as: UTF8.self) != nil else {
      return InputSupply.Entry(
        name: name, facts: InputFacts(given, place: place),
        refusal: "the input is no text in UTF-8: write it in that encoding")
    }
    let facts = InputFacts(given: given, place: place)
    return InputSupply.Entry(name: name, facts: facts, refusal: refusal(facts))
  }

  /// What people see of an input.
  private static func name(_ given: String) -> String {
    guard given.utf8.count > 300 else { return given.isEmpty ? "(empty)" : given }
    return given.prefix(200) + "…"
  }

  private func refusal(_ facts: InputFacts) -> String? {
    guard let names else { return nil }
    do {
      let path = try names.path(of: facts.givenInput)
      return claims.withLock { claims in
        claims.read(facts.files.map(\.path))
        return claims.claim(path, for: facts.givenInput.text)
      }
    } catch {
      return error.reason
    }
  }
}
