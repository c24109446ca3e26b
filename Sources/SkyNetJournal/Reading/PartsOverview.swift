package import SkyNetCore
import SkySQLite

/// The parts of a growing job, for people.
package struct PartsOverview: Hashable, Sendable {
  /// A part that did not end well.
  package struct Failure: Hashable, Sendable {
    package let number: Int
    package let name: String
    package let outcome: PartOutcome
  }

  /// How many parts the job has by now.
  package fileprivate(set) var count = 0
  /// How many of them are done, with all that follows from them.
  package fileprivate(set) var done = 0
  /// How many failed, or ended in a way that this version does not know.
  package fileprivate(set) var failed = 0
  /// Those that failed, by number, at most as many as the caller asked for.
  package fileprivate(set) var failures: [Failure] = []

  /// How many have not ended.
  package var open: Int { count - done - failed }
}

extension PartsOverview {
  /// - Parameter limit: the most failures to read.
  /// - Throws: ``JournalError``; `DatabaseError`.
  init(_ db: Database, failures limit: Int, path: String) throws {
    try PartTable.forEach(db, path) { part in
      count += 1
      let outcome = PartOutcome(part.outcome)
      switch outcome.state {
      case .open: break
      case .done: done += 1
      case .failed, .other:
        failed += 1
        guard failures.count < limit else { return }
        failures.append(Failure(number: part.number, name: part.name, outcome: outcome))
      }
    }
  }
}

/// The place of a sector in a growing job.
package struct PartPlace: Hashable, Sendable {
  /// The part's number and name.
  package let number: Int
  package let name: String
  /// The sector's number within the part, from 0.
  package let sector: Int

  package init(_ part: JobPart, sector: Int) {
    (number, name) = (part.number, part.name)
    self.sector = sector - part.sectors.lowerBound
  }
}
