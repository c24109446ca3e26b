/// Whether scans that call themselves brief are believed: until those that were not have held up their
/// event loop for a second together.
///
/// A thread that the kernel lets stand for a moment is forgiven: each scan takes a millisecond off what
/// is held against them.
package struct BriefTrust: Sendable {
  /// Less than any peer's patience, and more than a busy machine's hiccups.
  private static let limit = Duration.seconds(1)
  private static let allowance = Duration.milliseconds(1)

  private var overtime = Duration.zero
  package private(set) var isGone = false

  package init() {}

  /// One took this long. Returns whether it was the last straw.
  package mutating func took(_ duration: Duration) -> Bool {
    overtime = max(.zero, overtime + duration - Self.allowance)
    guard !isGone, overtime >= Self.limit else { return false }
    isGone = true
    return true
  }
}
