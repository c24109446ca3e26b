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
  ///   - claims: knows what outputs may not replace.
  init(_ pieces: [InputPiece], _ names: OutputNames?, _ claims: OutputClaims) {
    (self.pieces, self.names) = (pieces, names)
    self.claims = Mutex(claims)
    total = Mutex(
      pieces.reduce(0) { sum, piece in sum.flatMap { sum in piece.count.map { sum + $0 } } })
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
      case .words, .files:
        for facts in piece.facts(from: place) ?? [] {
          guard add(entry(facts)) else { return }
        }
      case .list(let list):
        var lines = try InputLines(list)
        while let line = try lines.next() {
          guard add(entry(line, place: place)) else { return }
        }
      }
    }
    total.withLock { $0 = place }
  }

  private func entry(_ line: InputLines.Line, place: Int) -> InputSupply.Entry {
    switch line.text {
    case .success(let given): entry(InputFacts(given: given, place: place))
    case .failure(let fault):
      InputSupply.Entry(
        name: Self.name(fault.text), facts: InputFacts(fault.text, place: place),
        refusal: fault.reason)
    }
  }

  private func entry(_ facts: InputFacts) -> InputSupply.Entry {
    InputSupply.Entry(
      name: Self.name(facts.givenInput.text), facts: facts, refusal: refusal(facts))
  }

  /// What people see of an input.
  private static func name(_ given: String) -> String {
    guard given.utf8.count > 300 else { return given.isEmpty ? "(empty)" : given }
    return given.prefix(200) + "…"
  }

  private func refusal(_ facts: InputFacts) -> String? {
    // A pattern or a shell may name files of which the names are no text. No program would find them.
    let missing = facts.files.filter(\.isMissing).map(\.path)
    let odd = (missing + (OddName.isCommandLineUTF8 ? [] : [facts.text])).first(
      where: OddName.isOne)
    if let odd { return "\(odd) \(OddName.fault): rename it" }
    if let gone = missing.first {
      return "there is no file \(gone) any more: look where it has gone"
    }
    guard let names else { return nil }
    return claims.withLock { $0.refusal(facts, names) }
  }
}

extension OutputClaims {
  /// Claims the file of an input's output.
  ///
  /// - Returns: why the input cannot have it, or is none; `nil` if it can.
  mutating func refusal(_ facts: InputFacts, _ names: OutputNames) -> String? {
    if let fault = read(facts) { return fault }
    do {
      return claim(try names.path(of: facts.givenInput), for: facts.givenInput.text)
    } catch {
      return error.reason
    }
  }
}
