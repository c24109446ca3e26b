import SkyFiles
package import SkyNetCore
import Synchronization

/// Makes parts of a job of inputs as they come, and finds what earlier processes did of them.
package final class InputSupply: Sendable {
  /// An input, ready to be run.
  package struct Entry: Sendable {
    /// The input as it was given, for people.
    package let name: String
    package let facts: InputFacts
    /// Why it cannot be run, if that is known.
    package let refusal: String?

    package init(name: String, facts: InputFacts, refusal: String? = nil) {
      (self.name, self.facts, self.refusal) = (name, facts, refusal)
    }
  }

  /// What a journal is told.
  package enum Record: Sendable {
    /// The part has ended, or has other facts now.
    case part(JobPart)
    case dropped(JobPart)
  }

  fileprivate struct State {
    var past = PastInputs()
    var refusals: [Int: String] = [:]
    var nextNumber = 0
    var nextSector = 0
    var record: (@Sendable (Record) -> Void)?
  }

  private let state = Mutex(State())
  /// Whether it was told that a program has changed its input.
  private let toldOfChange = Atomic(false)
  private let settings: ProgramSettings
  /// Whether programs are told the places of their inputs, so that results depend on them.
  private let tellsPlaces: Bool
  private let source: @Sendable () async throws -> Entry?
  private let count: @Sendable () -> Int?
  private let tell: @Sendable (String) -> Void

  /// - Parameters:
  ///   - count: how many inputs there will be; `nil` if that is not known.
  ///   - tell: is told of an input that is run again because it has changed, and once of one that changed while its
  ///     program ran.
  ///   - next: waits for the next input; `nil` if none is left.
  package init(
    _ settings: ProgramSettings, count: @escaping @Sendable () -> Int?,
    tell: @escaping @Sendable (String) -> Void,
    next source: @escaping @Sendable () async throws -> Entry?
  ) {
    self.settings = settings
    tellsPlaces = ProgramTemplate(settings.words).tellsPlace
    (self.count, self.tell, self.source) = (count, tell, source)
  }

  var expectedCount: Int? { count() }

  /// New parts come after these, which earlier processes recorded.
  ///
  /// - Parameters:
  ///   - inputs: what the parts are of.
  ///   - record: tells the journal.
  package func begin(
    after past: [JobPart], of inputs: PastInputs, record: @escaping @Sendable (Record) -> Void
  ) {
    state.withLock { state in
      state.nextNumber = past.map { $0.number + 1 }.max() ?? 0
      state.nextSector = past.map(\.sectors.upperBound).max() ?? 0
      state.record = record
      state.past = inputs
    }
  }

  /// - Throws: the errors of the inputs' source; `CancellationError`.
  func nextPart() async throws -> JobPart? {
    guard let entry = try await source() else { return nil }
    let made = state.withLock { $0.part(of: entry, tellsPlaces: tellsPlaces) }
    let record = state.withLock { $0.record }
    switch made.past {
    case .same, nil: break
    case .renamed: record?(.part(made.part))
    case .changed(let past, let place):
      tell(
        place.map {
          "\(entry.name) is input \(entry.facts.place + 1) now, and was \($0 + 1): it is run again"
        }
          ?? "\(entry.name) has changed since it was run: it is run again")
      record?(.dropped(past))
    }
    let part = made.part
    if let refusal = entry.refusal { state.withLock { $0.refusals[part.number] = refusal } }
    return part
  }

  /// Why a part cannot be run; `nil` if it can.
  func refusal(of part: JobPart) -> String? {
    state.withLock { $0.refusals.removeValue(forKey: part.number) }
  }

  /// - Parameter failure: why the input failed; `nil` if it did not.
  func ended(_ part: JobPart, failure: String?) {
    let outcome = InputOutcome(failure: failure).json
    guard part.outcome != outcome, let record = state.withLock({ $0.record }) else { return }
    var part = part
    part.outcome = outcome
    if failure == nil { takeChange(into: &part) }
    record(.part(part))
  }

  /// What a program makes of its input while it runs does not undo its work: the file counts as it is afterwards.
  private func takeChange(into part: inout JobPart) {
    guard let facts = InputFacts(part.facts), !facts.files.isEmpty else { return }
    let now = facts.now(settings)
    guard now != facts else { return }
    part.facts = now.json
    guard let changed = zip(now.files, facts.files).first(where: { $0 != $1 && $0.state != nil })?.0
    else { return }
    guard !toldOfChange.exchange(true, ordering: .relaxed) else { return }
    tell(
      "\(changed.name) was changed while its program ran, and maybe more inputs: a run that goes on takes that for the "
        + "program's work, and for done")
  }
}

/// What an earlier process made of an input.
private enum PastInput {
  case same
  /// The input came in another place, which its result does not depend on, or its file is gone.
  case renamed
  /// The result does not count any more. If that is for the input's place only, here is the one that it had.
  case changed(JobPart, place: Int?)
}

extension InputSupply.State {
  /// The part of an input, and what an earlier process made of the input.
  fileprivate mutating func part(
    of entry: InputSupply.Entry, tellsPlaces: Bool
  ) -> (part: JobPart, past: PastInput?) {
    let input = past.take(entry.facts.text)
    let known = input?.part
    let facts = input.flatMap { entry.facts.continuing($0.facts, isDone: $0.isDone) }
    let hasMoved = tellsPlaces && input?.facts.place != entry.facts.place
    let json = (facts ?? entry.facts).json
    if let known, facts != nil, !hasMoved {
      // What the output's file is called follows from the input's place now.
      var part = JobPart(
        number: known.number, sectors: known.sectors, name: entry.name, facts: json)
      part.outcome = known.outcome
      return (part, known.facts == json ? .same : .renamed)
    }
    defer {
      nextNumber += 1
      nextSector += 1
    }
    let part = JobPart(
      number: nextNumber, sectors: nextSector..<nextSector + 1, name: entry.name, facts: json)
    return (part, known.map { .changed($0, place: facts != nil ? input?.facts.place : nil) })
  }
}
