import SkyNetKit

/// What is too large, which numbers are carried, and what settings cost.
func sizesAndNumbers(_ cluster: Cluster) async throws {
  let many = Array(repeating: 0.123_456_789_012_345, count: 1_000_000)
  var job = NumbersJob(
    sectors: [
      .init(numbers: [0.123_456_789_012_345], times: 1_000_000), .init(numbers: many),
      .init(numbers: [1]),
    ])
  var run = try await cluster.run(job)
  print(
    " 1 too large:", run.failures.map { "\($0.failures.map(\.code)) \($0.attempts)" },
    run.job.outputs.count)

  job = NumbersJob(settings: [-.infinity], sectors: [.init(numbers: [.nan, .infinity])])
  run = try await cluster.run(job)
  print(" 4 numbers:", run.job.outputs[0] ?? [])

  job = NumbersJob(
    settings: Array(repeating: 0.5, count: 500_000), sectors: Array(repeating: .init(), count: 100))
  let clock = ContinuousClock()
  let time = try await clock.measure { run = try await cluster.run(job) }
  print(
    " 8 settings of 2 MB, 100 sectors:", run.job.outputs.count,
    time < .seconds(30) ? "in seconds" : "in \(time)")
}

/// What a failure tells, and what a run that is cancelled gives back.
func failures(_ cluster: Cluster) async throws {
  let job = NumbersJob(
    sectors: ["no luck", "unmendable", "not worth it"].map { .init(fault: $0) })
  let run = try await cluster.run(job)
  print(
    " 5 failures:",
    run.failures.map { "\($0.failures.last?.code.description ?? "") \($0.attempts)" })

  do {
    let system = try await cluster.systems.firstAvailableSystem(for: Numbers.self)
    _ = try await system.run(.init(fault: "unsuited"), settings: [])
  } catch let failure as FailedAttempt {
    print(" 5 first available system: \(failure.code): \(failure.reason)")
  }

  let (received, note) = AsyncStream.makeStream(of: Void.self)
  let running = Task<Int, any Error> {
    var left: NumbersJob?
    do {
      _ = try await cluster.coordinator().run(
        NumbersJob(sectors: Array(repeating: .init(numbers: [1]), count: 100_000)),
        report: { _ in note.yield() }, abandoned: { job, _ in left = job })
    } catch is CancellationError {}
    return left?.outputs.count ?? 0
  }
  for await _ in received.prefix(1000) {}
  running.cancel()
  let count = try await running.value
  print(" 5 cancelled, with what was received:", count > 0 && count < 100_000)
}
