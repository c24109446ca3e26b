import SkyNetJournal

@testable import SkyNetCluster
@testable import SkyNetCore

/// Attempts of one process, numbered as an engagement numbers them.
struct Attempts {
  let local = Incarnation()
  let remote = Incarnation()
  private var count: UInt64 = 0

  /// The next attempt, of a sector in a pass, on the process's own system or another.
  mutating func next(
    _ sector: Int, pass: Int = 0, ordinal: Int = 1, isLocal: Bool = true
  ) -> Attempt {
    count += 1
    let slot = Slot(
      number: count, system: isLocal ? local : remote, name: isLocal ? "local" : "a")
    return Attempt(
      id: count, task: TaskID(pass: pass, sector: sector), slot: slot, ordinal: ordinal,
      isHedge: false)
  }
}

extension SQLiteJournal {
  func began(_ attempt: Attempt) {
    record(.began(attempt, isLocal: attempt.slot.name == "local"))
  }

  func accepted(_ attempt: Attempt, _ output: String) {
    record(
      .accepted(attempt, output: output, attempts: attempt.ordinal, seconds: 0.5, endsSector: true))
  }

  func changed(_ system: Incarnation, _ change: SystemChange.Kind, named name: String = "a") {
    record(.changed(SystemChange(system: system, name: name, kind: change)))
  }

  /// Records an attempt and its accepted output.
  func scanned(_ attempt: Attempt) {
    began(attempt)
    accepted(attempt, "out \(attempt.task.sector)")
  }

  func all(_ limit: Int = 1000) async throws -> [PastTask] {
    var all: [PastTask] = []
    while true {
      let page = try await past(String.self, in: nil, after: all.last?.id, limit: limit)
      guard !page.isEmpty else { return all }
      all += page
    }
  }
}

extension PastTask {
  var output: String? {
    if case .accepted(let output, _, _) = end { output as? String } else { nil }
  }

  var isOpen: Bool {
    if case .open = end { true } else { false }
  }

  var isGivenUp: Bool {
    if case .gaveUp = end { true } else { false }
  }
}
