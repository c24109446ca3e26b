import Foundation

/// How a part of a job ended, as far as a reader understands what the job recorded: the JSON object
/// `{"state":"done"|"failed","sources":N,"seconds":S,"reason":"…"}`, of which only `state` is needed.
package struct PartOutcome: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// The part goes on, or waits to be gone on with.
    case open
    case done
    case failed
    /// It ended in a way that this reader does not know.
    case other
  }

  package let state: State
  /// How many sources were found in it, if the job counts them.
  package let sources: Int?
  /// How long the part took, in seconds.
  package let seconds: Double?
  /// Why the part failed; what the job recorded, if the reader does not understand it.
  package let reason: String?

  /// The most characters of a reason.
  private static let longestReason = 300

  private struct Recorded: Decodable {
    let state: String
    let sources: Int?
    let seconds: Double?
    let reason: String?
  }

  /// - Parameter text: what the job recorded; `nil` of a part that has not ended.
  package init(_ text: String?) {
    guard let text else {
      (state, sources, seconds, reason) = (.open, nil, nil, nil)
      return
    }
    let recorded = try? JSONDecoder().decode(Recorded.self, from: Data(text.utf8))
    switch recorded?.state {
    case "done": state = .done
    case "failed": state = .failed
    default: state = .other
    }
    guard let recorded, state != .other else {
      (sources, seconds) = (nil, nil)
      reason = text.bounded(to: Self.longestReason)
      return
    }
    sources = recorded.sources
    seconds = recorded.seconds
    reason = recorded.reason?.bounded(to: Self.longestReason)
  }
}
