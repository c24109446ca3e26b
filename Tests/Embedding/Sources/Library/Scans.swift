import SkyNetKit

/// Numbers of which the output has each so many times, and the sum of the settings.
struct Numbers: Scan {
  static let kind = ScanKind(name: "numbers", version: 1)

  struct Sector: Codable, Sendable {
    var numbers: [Double] = []
    var times = 1
    /// Why the scan fails.
    var fault: String?
  }

  func run(_ sector: Sector, settings: [Double]) async throws -> [Double] {
    switch sector.fault {
    case nil: break
    case "unmendable": throw UnmendableFailure("there is no such file")
    case "unsuited": throw SystemUnsuited("has no /data")
    case let fault?: throw Fault(description: fault)
    }
    return (0..<sector.times).flatMap { _ in sector.numbers } + [settings.reduce(0, +)]
  }

  struct Fault: Error, CustomStringConvertible {
    let description: String
  }
}

/// A number's power, whose exponent belongs to the machine.
struct Power: Scan {
  static let kind = ScanKind(name: "power", version: 1)
  let exponent: Int

  init(of exponent: Int) { self.exponent = exponent }

  func run(_ number: Int, settings: NoSettings) async throws -> Int {
    (0..<exponent).reduce(1) { product, _ in product * number }
  }
}

/// A scan that no program here has registered.
struct Unregistered: Scan {
  static let kind = ScanKind(name: "unregistered", version: 1)

  func run(_ number: Int, settings: NoSettings) async throws -> Int { number }
}

/// A job of numbers that holds each of its outputs, and does not try again what has no file.
struct NumbersJob: Job {
  typealias Work = Numbers
  var settings: [Double] = []
  let sectors: [Numbers.Sector]
  var outputs: [Int: [Double]] = [:]

  var sectorCount: Int { sectors.count }

  func sector(for task: TaskID) -> Numbers.Sector { sectors[task.sector] }

  func isWorthRetrying(_ failure: FailedAttempt, of task: TaskID) -> Bool {
    failure.reason != "not worth it"
  }

  mutating func receive(_ output: [Double], for task: TaskID) -> ReceivedResult {
    outputs[task.sector] = output
    return ReceivedResult(result: task.sector)
  }
}

extension Cluster {
  /// Runs the job, and returns it with the sectors that were given up, in their order.
  func run(_ job: NumbersJob) async throws -> (job: NumbersJob, failures: [SectorFailure]) {
    let (updates, told) = AsyncStream.makeStream(of: SectorFailure.self)
    let (job, _) = try await coordinator().run(job) { update in
      if case .failed(let failure) = update.event { told.yield(failure) }
    }
    told.finish()
    var failures: [SectorFailure] = []
    for await failure in updates { failures.append(failure) }
    return (job, failures.sorted { $0.sector < $1.sector })
  }
}
