/// What a journal kept of an output does not hold any more, as the file is gone that has the rest. Its task is done again.
///
/// A job throws it in ``Job/receive(_:for:)`` of an output that an earlier process recorded.
package struct StaleOutput: Error, Hashable {
  package init() {}
}

/// An output of which a journal may keep less than all. What is left has the same fingerprint.
package protocol ShortenedOutput: Sendable {
  var fingerprint: String { get }
}
