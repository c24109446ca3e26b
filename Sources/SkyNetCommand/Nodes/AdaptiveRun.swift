import ArgumentParser
import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// `skynet nodes slurm --max` while it adapts the number of jobs to the work.
struct AdaptiveRun {
  /// How long systems may take to tell of their work.
  private static let patience = Duration.seconds(1)

  let slurm: Slurm
  let script: SlurmScript
  let limits: ClosedRange<Int>
  let interval: Duration
  /// Whether the jobs are cancelled at the end.
  let cancels: Bool

  private var console: Console { .standardError }
  /// The name of the jobs whose nodes stay when they are idle.
  private var stayingName: String { script.name + "-min" }

  /// Adapts until a signal.
  ///
  /// - Returns: the exit status of the signal.
  /// - Throws: `ExternalProgram.Failure` if no job can be submitted at all; ``SlurmPlaces/Fault`` if jobs fail.
  func run(with cluster: Cluster) async throws -> ExitCode {
    Signals.trap()
    let (signals, post) = AsyncStream.makeStream(of: ExitCode.self)
    return try await withThrowingTaskGroup(of: ExitCode?.self) { group in
      group.addTask {
        await console.run()
        return nil
      }
      group.addTask {
        await Signals.watch { _, status in
          post.yield(status)
          return false
        }
        return nil
      }
      group.addTask {
        let status = try await adapt(cluster, until: signals)
        await leave()
        return status
      }
      defer { group.cancelAll() }
      for try await status in group {
        if let status { return status }
      }
      throw CancellationError()
    }
  }

  private func adapt(_ cluster: Cluster, until signals: AsyncStream<ExitCode>) async throws
    -> ExitCode?
  {
    try await withThrowingTaskGroup(of: ExitCode?.self) { group in
      group.addTask {
        try await adapt(cluster)
        return nil
      }
      group.addTask { await signals.first { _ in true } }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private func adapt(_ cluster: Cluster) async throws {
    var policy = AdaptivePolicy(limits: limits, slots: script.slots, stayingName: stayingName)
    var (lastLine, lastFault, isUnderway) = ("", "", false)
    let clock = ContinuousClock()
    while !Task.isCancelled {
      let next = clock.now + interval
      do {
        let seen = try await look(at: cluster)
        isUnderway = isUnderway || seen.jobs.contains { $0.phase != .ended }
        let actions = policy.saw(seen)
        let line = Self.line(policy.wanted, seen)
        if line != lastLine { console.line(line) }
        lastLine = line
        for action in actions { isUnderway = try await act(action) || isUnderway }
        lastFault = ""
      } catch let failure as ExternalProgram.Failure where isUnderway {
        // What Slurm does not do now, it may do at the next look.
        if failure.description != lastFault { console.line("\(failure)", level: .warning) }
        lastFault = failure.description
      }
      try? await clock.sleep(until: next)
    }
  }

  // MARK: Looking

  private func look(at cluster: Cluster) async throws -> AdaptivePolicy.Observation {
    let jobs = try await slurm.jobs(named: [script.name, stayingName], in: script.directory)
    let systems = await cluster.connectedSystems
    let statuses = await cluster.statuses(of: systems, within: Self.patience)
    var seen = AdaptivePolicy.Observation(jobs: jobs)
    if !statuses.isEmpty {
      let left = statuses.values.flatMap(\.engagements).merged.reduce(0) { $0 + $1.tasksLeft }
      // Versions that tell of no engagements tell of what runs and waits there.
      let held = statuses.values.reduce(0) { sum, status in
        sum + status.runningCount + status.waiting.values.reduce(0, +)
      }
      seen.tasksLeft = max(left, held)
    }
    let numbers = Set(jobs.map(\.number))
    for system in systems {
      guard let number = system.place.name.split(separator: "-").last.map(String.init),
        numbers.contains(number)
      else { continue }
      seen.connected.insert(number)
      seen.slots = max(seen.slots ?? 1, system.slots)
      if statuses[system.incarnation]?.isDraining == true { seen.leaving.insert(number) }
    }
    return seen
  }

  private static func line(_ wanted: Int, _ seen: AdaptivePolicy.Observation) -> String {
    let jobs = seen.jobs.filter { $0.phase != .ended }
    let pending = jobs.filter { $0.phase == .pending }
    let reasons = Set(pending.map(\.reason)).subtracting(["None", ""]).sorted()
    return "\(wanted) node\(wanted == 1 ? "" : "s") wanted: \(jobs.count - pending.count) running"
      + (pending.isEmpty ? "" : ", \(pending.count) pending")
      + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
  }

  // MARK: Acting

  /// Returns whether jobs were submitted.
  private func act(_ action: AdaptivePolicy.Action) async throws -> Bool {
    switch action {
    case .submit(let staying, let leaving):
      var script = script
      if leaving > 0 { tell(try await slurm.submit(script, count: leaving), leaving) }
      if staying > 0 {
        (script.name, script.idleTimeout) = (stayingName, nil)
        tell(try await slurm.submit(script, count: staying), staying)
      }
      return true
    case .cancel(let ids):
      try await slurm.cancel(ids, isPending: true)
      console.line("cancelled \(ids.count) pending job\(ids.count == 1 ? "" : "s")")
    case .ended(let id, let state):
      console.line("job \(id) ended: \(state)")
    case .giveUp(let failures, let number):
      throw SlurmPlaces.Fault(
        description:
          "\(failures) jobs in a row failed before their nodes were there: \(script.logs)/\(number).log tells "
          + "why; if there is no such file, compute nodes do not share that directory")
    }
    return false
  }

  private func tell(_ numbers: [String], _ count: Int) {
    console.line(
      "submitted job \(numbers.joined(separator: ", ")): \(count) node\(count == 1 ? "" : "s")")
  }

  /// Cancels the jobs, or says what becomes of them.
  private func leave() async {
    do {
      let jobs = try await slurm.jobs(named: [script.name, stayingName], in: script.directory)
        .filter { $0.phase != .ended }
      guard !jobs.isEmpty else { return console.line("stopped; no job is left") }
      let count = "\(jobs.count) job\(jobs.count == 1 ? "" : "s")"
      if cancels {
        try await slurm.cancel(jobs.map(\.id), isPending: false)
        return console.line("stopped; \(count) cancelled")
      }
      let staying = jobs.count { $0.name == stayingName }
      let leaving = jobs.count - staying
      let idle = TimeOption.text(script.idleTimeout ?? 0)
      let parts = [
        staying > 0 ? "\(staying) until \(staying == 1 ? "its" : "their") time is over" : nil,
        leaving > 0
          ? "\(leaving) until \(leaving == 1 ? "it scans" : "they scan") nothing for \(idle)" : nil,
      ].compactMap { $0 }
      // An array's number stands for what is left of its jobs.
      let numbers = Set(jobs.compactMap { Int($0.id.prefix { $0 != "_" }) }).sorted()
        .map(String.init)
      console.line(
        "stopped; the jobs go on, \(parts.joined(separator: " and ")); to end them: "
          + "scancel \(numbers.joined(separator: " "))"
      )
    } catch {
      console.line("\(error)", level: .warning)
    }
  }
}

extension EngagementSummary {
  /// The tasks that are known and have not ended.
  fileprivate var tasksLeft: Int { max(0, sectors - completed - failed) }
}
