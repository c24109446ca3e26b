package import SkyNetCluster
import SkyNetCore

/// The lines of attempts that are tried again, for a terminal whose panel counts them: the first few of each reason.
///
/// A run on machines that come and go has thousands, and nothing is wrong with it. Pipes and files get every line.
package struct RerunLines: Sendable {
  /// The most lines for one reason, and for all reasons together.
  package static let (ofOneReason, ofAll) = (3, 20)

  private var counts: [String: Int] = [:]
  private var count = 0

  package init() {}

  /// What is shown for a line: the line; in place of the first one that is left out for its reason, a line that says
  /// so; or nothing.
  ///
  /// - Parameter event: the event that has brought the line.
  package mutating func shown(
    _ line: EventLines.Line, for event: EngagementEvent
  ) -> EventLines.Line? {
    guard line.kind == .rerun, case .retried(_, let failure) = event else { return line }
    let reason = failure.reason.inOneLine
    let known = counts[reason, default: 0]
    guard count < Self.ofAll, known <= Self.ofOneReason else { return nil }
    counts[reason] = known + 1
    count += 1
    if count == Self.ofAll {
      return EventLines.Line("further re-runs are only counted", .rerun, isFault: false)
    }
    guard known == Self.ofOneReason else { return line }
    return EventLines.Line(
      "further re-runs for this reason are only counted: \(reason)", .rerun, isFault: false)
  }
}
