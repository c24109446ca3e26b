import Foundation

/// Runs the engagements of a plan, and checks their results.
struct NemesisWork {
  let plan: NemesisPlan
  let cluster: NemesisCluster
  let record: NemesisRecord

  /// Starts engagements until the time is up, and waits for the last ones.
  func run(until end: ContinuousClock.Instant) async throws {
    var number = 0
    for round in plan.rounds where ContinuousClock.now < end {
      let first = number
      number += round.count
      try await withThrowingDiscardingTaskGroup { group in
        for (offset, work) in round.enumerated() {
          group.addTask { try await engage(work, number: first + offset + 1) }
        }
      }
    }
  }

  private func engage(_ work: NemesisPlan.Work, number: Int) async throws {
    let run = try cluster.engage(work, number: number)
    record.tell("engagement \(number) begins: \(work)")
    let outcome = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await Endurance.watch(run.process) {
          if let peak = Memory.peak(of: run.process.id) { record.used(memory: peak) }
        }
      }
      if let stop = work.stop {
        group.addTask {
          try await Endurance.pass(stop.after)
          run.process.send(SIGSTOP)
          try await Endurance.pass(stop.lasting)
          run.process.send(SIGCONT)
        }
      }
      defer { group.cancelAll() }
      _ = try await run.process.end()
      return try await run.outcome()
    }
    try check(outcome, of: work, number)
  }

  private func check(_ outcome: Outcome, of work: NemesisPlan.Work, _ number: Int) throws {
    // No system was there for as long as the run waits at its start: that is a valid end.
    if outcome.status == 2, work.localSlots == 0, outcome.results.isEmpty,
      outcome.errors.last?.contains("no system was found within") == true
    {
      record.tell("engagement \(number) found no system")
      return record.ended(outcome, nil)
    }
    let wrong =
      try work.scansImage
      ? cluster.sky.discrepancies(of: outcome, number)
      : outcome.discrepancies(of: work.total)
    record.tell("engagement \(number) ended: \(outcome.errors.last ?? "")")
    for fault in wrong { record.wrong("engagement \(number): \(fault)") }
    if !wrong.isEmpty {
      for line in outcome.errors.suffix(40) { record.tell("  said: \(line)") }
    }
    if work.scansImage {
      record.scannedImage(outcome)
    } else {
      record.ended(outcome, try outcome.summary)
    }
  }
}
