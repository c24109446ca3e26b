package import SkyNetCore

/// A program for each input, as inputs come: a growing job whose parts are the inputs, of one sector each.
package struct InputJob: JobWithOutcomes, ReferringJob {
  package typealias Work = Program

  package static let part = RunWords.Noun("input", "inputs")

  /// What the inputs are, among the facts that determine the results. Which ones they are does not matter: a later
  /// process may have others, and does those that no earlier one did.
  static let inputs = "texts"

  private let run: ProgramExchange
  private let supply: InputSupply
  /// The inputs whose parts have not ended, by their sectors.
  private var open: [Int: Open] = [:]

  private struct Open {
    let facts: InputFacts
    /// Whether the input has its result.
    var isDone = false
    /// Whether what an earlier process recorded of it does not count any more.
    var isAgain = false
    /// Why it failed, if it did in this process.
    var failure: String?
  }

  package init(_ run: ProgramExchange, _ supply: InputSupply) {
    (self.run, self.supply) = (run, supply)
  }

  package var settings: ProgramSettings { run.settings }
  package var name: String { settings.name }
  package var sectorCount: Int { 0 }
  package var expectedParts: Int? { supply.expectedCount }
  package var isLight: Bool { run.isLight }
  package var mayRunTwice: Bool { run.mayRunTwice }
  package var retryWaits: RetryWaits { run.retryWaits }
  package var keepsData: Bool { false }

  package func identity() -> JobIdentity { run.identity(inputs: Self.inputs) }

  // MARK: Inputs

  package func nextPart() async throws -> JobPart? { try await supply.nextPart() }

  package mutating func add(_ part: JobPart) -> AddedPart {
    guard let facts = InputFacts(part.facts) else { return .failed(reason: "its facts are none") }
    let sector = part.sectors.lowerBound
    open[sector] = Open(facts: facts)
    if let refusal = supply.refusal(of: part) {
      open[sector]?.failure = refusal
      return .failed(reason: refusal)
    }
    return .tasks([TaskRange(sectors: part.sectors)])
  }

  package mutating func ended(_ part: JobPart) {
    guard let input = open.removeValue(forKey: part.sectors.lowerBound) else { return }
    // Without a word, an earlier process has given the input up.
    let past = part.outcome == nil ? "an earlier process gave it up" : nil
    guard input.isDone || input.failure != nil || past != nil else { return }
    var part = part
    if input.isAgain { part.outcome = nil }
    supply.ended(part, failure: input.isDone ? nil : input.failure ?? past)
  }

  package func result(ofSector sector: Int, in part: JobPart) -> (any Encodable & Sendable)? { nil }

  // MARK: Tasks

  private func facts(of task: TaskID) throws -> InputFacts {
    guard let facts = open[task.sector]?.facts else {
      throw RefusedOutput("sector \(task.sector) belongs to no input that is open")
    }
    return facts
  }

  package func sector(for task: TaskID) async throws -> ProgramInput {
    let facts = try facts(of: task)
    return try await run.sector(facts.input(number: task.sector), named: facts.templateInput)
  }

  package func sector(
    for task: TaskID, on recipient: SectorRecipient
  ) async throws -> ProgramInput {
    await run.proven(try await sector(for: task), to: recipient)
  }

  package func outputLimit(for task: TaskID) -> OutputLimit { run.outputLimit }

  package func check(_ output: ProgramOutput, for task: TaskID) throws {
    try run.check(output, sector: task.sector)
  }

  package mutating func receive(_ output: ProgramOutput, for task: TaskID) throws -> ReceivedResult
  {
    let input = try facts(of: task).templateInput
    do {
      let received = try run.receive(output, of: input, sector: task.sector)
      open[task.sector]?.isDone = true
      return received
    } catch let stale as StaleOutput {
      open[task.sector]?.isAgain = true
      throw stale
    }
  }

  package mutating func gaveUp(_ task: TaskID, reason: String) {
    open[task.sector]?.failure = reason
    run.gaveUp(task.sector)
  }
}
