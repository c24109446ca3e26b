package import SkyNetCore

/// A program for each of so many inputs that are known: numbers, for most.
package struct ProgramJob: ReferringJob, ResizableJob {
  package typealias Work = Program

  package let sectorCount: Int
  private let run: ProgramExchange
  private let inputs: String
  private let input: @Sendable (_ sector: Int) -> ProgramInput

  /// The numbers from 0 to `count`, without `count`.
  package init(_ run: ProgramExchange, count: Int) {
    self.init(run, inputs: "numbers", count: count) { ProgramInput(number: $0) }
  }

  private init(
    _ run: ProgramExchange, inputs: String, count: Int,
    _ input: @escaping @Sendable (Int) -> ProgramInput
  ) {
    (self.run, self.inputs, self.input) = (run, inputs, input)
    sectorCount = count
  }

  /// One of the inputs of an ``InputJob``, which had this sector there.
  package static func replaying(_ facts: InputFacts, sector: Int, _ run: ProgramExchange)
    -> ProgramJob
  {
    ProgramJob(run, inputs: InputJob.inputs, count: 1) { _ in facts.input(number: sector) }
  }

  package var settings: ProgramSettings { run.settings }
  package var name: String { settings.name }
  package var isLight: Bool { run.isLight }
  package var mayRunTwice: Bool { run.mayRunTwice }
  package var retryWaits: RetryWaits { run.retryWaits }
  package var keepsData: Bool { false }

  package func identity() -> JobIdentity { run.identity(inputs: inputs) }

  package func sector(for task: TaskID) async throws -> ProgramInput {
    let input = input(task.sector)
    return try await run.sector(input, named: input.templateInput)
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

  package func receive(_ output: ProgramOutput, for task: TaskID) throws -> ReceivedResult {
    try run.receive(output, of: input(task.sector).templateInput, sector: task.sector)
  }

  package func gaveUp(_ task: TaskID, reason: String) { run.gaveUp(task.sector) }
}

extension ProgramSettings {
  /// The program with its arguments, for people.
  package var name: String {
    let text = words.joined(separator: " ")
    return text.count <= 60 ? text : text.prefix(59) + "…"
  }
}
