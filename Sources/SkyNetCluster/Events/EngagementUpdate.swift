public import SkyNetCore

public import struct Foundation.Date

/// An event of an engagement, with its time and the counts after it.
public struct EngagementUpdate: Sendable {
  /// The run that the event belongs to.
  public let run: RunID
  /// When the event happened. Times of one process's events differ as a steady clock does: the wall clock is
  /// looked at once, when the run begins.
  public let time: Date
  public let event: EngagementEvent
  public let tally: Tally

  package init(run: RunID, time: Date, event: EngagementEvent, tally: Tally) {
    self.run = run
    self.time = time
    self.event = event
    self.tally = tally
  }
}
