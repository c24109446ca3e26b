package import ArgumentParser

/// Two groups of options as one: a list of types, of any length, folds to one type with it.
package struct Both<First: ParsableArguments, Second: ParsableArguments>: ParsableArguments {
  package init() {}

  @OptionGroup package var first: First
  @OptionGroup package var second: Second
}

extension Both: NodeOffering where First: NodeOffering, Second: NodeOffering {
  package static var examples: [String] { First.examples + Second.examples }
  package var arguments: [String] { first.arguments + second.arguments }

  package func offer(withholding files: [String]) throws -> NodeOffer {
    try first.offer(withholding: files) + second.offer(withholding: files)
  }
}

extension Both: ReplayOptions where First: ReplayOptions, Second: ReplayOptions {
  package var given: [String] { first.given + second.given }
  package var readFiles: [FileOption] { first.readFiles + second.readFiles }

  package func job(of task: RecordedTask) async throws -> RecordedJob? {
    if let job = try await first.job(of: task) {
      try second.checkUnused(by: task)
      return job
    }
    let job = try await second.job(of: task)
    if job != nil { try first.checkUnused(by: task) }
    return job
  }
}

extension ReplayOptions {
  /// - Throws: ``ReplayError`` if options are given, and the run is of another workload.
  fileprivate func checkUnused(by task: RecordedTask) throws {
    guard given.isEmpty else { throw ReplayError.otherWorkload(task.journal, options: given) }
  }
}
