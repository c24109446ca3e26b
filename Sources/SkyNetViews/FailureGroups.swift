package import SkyNetCluster
import SkyNetCore

/// A failure as people are told of it: where it was, and why.
package struct FailureNotice: Hashable, Sendable {
  /// The sector: `25`, or `sector 1 of 'x.fits'` in a run of several parts.
  package let place: String
  package let reason: String
  /// The reason without the name of the failed part, or the sector. Failures with the same kind are told of together.
  package let kind: String

  init(_ sector: Int, of part: String?, _ attempt: FailedAttempt?) {
    place = EventText.sector(sector, of: part)
    reason = attempt?.reason.inOneLine ?? "no attempt was made"
    // Many programs name their input in what they say. Short names may be a part of any word.
    let name = part ?? ""
    let kind = name.count > 3 ? reason.replacing(name, with: "{}") : reason
    // The loss of a system names the sector that it ran. To look for that takes longer than many a task.
    self.kind = attempt?.code == .lost ? kind.replacing("sector \(sector) ", with: "{} ") : kind
  }

  init(_ failure: SectorFailure) {
    self.init(failure.sector, of: failure.part, failure.failures.last)
  }
}

/// The sectors that a run gave up, by their last attempt's reason: what a person reads at its end, however many there are.
package struct FailureGroups: Sendable {
  private struct Group {
    /// The sector with the lowest number that failed for the reason, and the reason as it stood there. Which one failed
    /// first changes from run to run.
    var sector: Int
    var example: String
    var reason: String
    var count = 1
  }

  /// How many reasons are listed, and how many are told apart.
  package static let listed = 10
  private static let limit = 1000

  private var groups: [Group] = []
  private var places: [String: Int] = [:]
  /// The failures with further reasons.
  private var others = 0

  package init() {}

  package mutating func add(_ failure: SectorFailure) {
    let notice = FailureNotice(failure)
    let word = failure.part == nil ? "sector " : ""
    let group = Group(
      sector: failure.sector, example: word + notice.place, reason: notice.reason)
    if let place = places[notice.kind] {
      let count = groups[place].count + 1
      if failure.sector < groups[place].sector { groups[place] = group }
      groups[place].count = count
    } else if groups.count < Self.limit {
      places[notice.kind] = groups.count
      groups.append(group)
    } else {
      others += 1
    }
  }

  /// A line for each of the ten most frequent reasons, and one for the others.
  package var lines: [String] {
    let sorted = groups.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
    let lines = sorted.prefix(Self.listed).map { group in
      "failed: \(group.example)" + (group.count > 1 ? " and \(group.count - 1) more" : "")
        + ": \(group.reason)"
    }
    let rest = sorted.dropFirst(Self.listed).reduce(others) { $0 + $1.count }
    return lines + (rest > 0 ? ["failed: \(rest) more, for other reasons"] : [])
  }
}
