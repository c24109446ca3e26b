public import SkyNetCore

public import struct Foundation.Date

/// An event of an engagement, with its time and the counts after it.
public struct EngagementUpdate: Sendable {
  /// The run that the event belongs to.
  public let run: RunID
  /// When the event happened. Times of one process's events differ as a steady clock does: the wall clock is
  /// looked at once, when the run begins.
  public var time: Date { origin.addingTimeInterval(instant.sinceOrigin.inSeconds) }
  public let event: EngagementEvent
  public let tally: Tally
  /// The name of the part that the event's task belongs to; `nil` if the job does not grow, or the event is about
  /// no task.
  public let part: String?
  /// The wall clock's time at the origin of the steady clock.
  private let origin: Date
  /// The steady clock's time. Few events are asked for their time as a date, and to make one is not free.
  private let instant: Instant

  package init(
    run: RunID, at instant: Instant, since origin: Date, event: EngagementEvent, tally: Tally,
    part: String? = nil
  ) {
    self.run = run
    self.instant = instant
    self.origin = origin
    self.event = event
    self.tally = tally
    self.part = part
  }

  package init(
    run: RunID, time: Date, event: EngagementEvent, tally: Tally, part: String? = nil
  ) {
    self.init(run: run, at: Instant(), since: time, event: event, tally: tally, part: part)
  }
}
