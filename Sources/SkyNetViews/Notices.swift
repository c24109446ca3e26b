import Foundation
package import SkyNetCluster
import SkyNetCore

/// The latest notices of a run: what a person should see of it, as text.
package struct Notices: Sendable {
  package struct Notice: Hashable, Sendable {
    /// A notice's number, from 1.
    package let number: Int
    package let time: Double
    package let text: String
    /// Whether something was given up, died, or needs a person.
    package let isFault: Bool
  }

  /// The most notices that are kept.
  package static let limit = 500

  package private(set) var latest: [Notice] = []
  /// How many notices there were in all.
  package private(set) var count = 0

  mutating func add(_ lines: [EventLines.Line], at time: Double) {
    for line in lines { add(line.text, isFault: line.isFault, at: time) }
  }

  mutating func add(_ text: String, isFault: Bool, at time: Double) {
    count += 1
    if latest.count == Self.limit { latest.removeFirst() }
    latest.append(Notice(number: count, time: time, text: text, isFault: isFault))
  }

  /// The notices after the one of this number, as far as they are kept.
  package func latest(after number: Int) -> ArraySlice<Notice> {
    latest.suffix(max(0, min(latest.count, count - number)))
  }
}

extension EngagementEvent {
  /// Whether something was given up, died, or needs a person. A failed attempt that is tried again is no fault.
  package var isFault: Bool {
    switch self {
    case .failed, .restoredFailure, .disconnected, .silent, .paused, .unsuited, .full,
      .waitingForSystem, .stalled:
      true
    case .began, .extended, .grew, .partEnded, .added, .finished, .handedOut, .attemptEnded,
      .retried,
      .passCompleted, .completed, .restored, .passRestored, .connected, .renamed, .heard, .resumed,
      .leaving, .yielding, .serving, .helping, .helped, .held:
      false
    }
  }
}
