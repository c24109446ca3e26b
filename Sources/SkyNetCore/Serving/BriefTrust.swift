/// Whether scans that call themselves brief are believed: until those that were not have held up their
/// event loop for a second together.
package struct BriefTrust: Sendable {
  /// Less than any peer's patience, and more than a busy machine's hiccups.
  private static let limit = Duration.seconds(1)

  private var overtime = Overtime(allowance: .milliseconds(1), most: limit)
  package private(set) var isGone = false

  package init() {}

  /// One took this long. Returns whether it was the last straw.
  package mutating func took(_ duration: Duration) -> Bool {
    overtime.add(duration)
    guard !isGone, overtime.sum >= Self.limit else { return false }
    isGone = true
    return true
  }
}
