import Synchronization

/// Makes the events for all viewers of a feed. In each tick, viewers with the same cursor get the same bytes, which are
/// made when the first of them asks.
final class SharedEvents<Feed: PageFeed>: Sendable {
  private struct Moment {
    var tick = -1
    var cut: Cut<Feed.Cursor>?
    var made: [Feed.Cursor: [UInt8]] = [:]
    /// How long it took to make the moment's events.
    var cost = Duration.zero
  }

  struct Portion: Sendable {
    let bytes: [UInt8]
    let cursor: Feed.Cursor
    let isLast: Bool
    let cost: Duration
  }

  private let feed: Feed
  private let token: AccessToken
  private let moment = Mutex(Moment())

  /// - Parameter token: what no event may tell: a notice of the page's address would have it.
  init(_ feed: Feed, hiding token: AccessToken = AccessToken()) {
    self.feed = feed
    self.token = token
  }

  /// - Parameter tick: the viewer's present tick; the events end at the first viewer's time in it.
  func portion(after cursor: Feed.Cursor, at tick: Int) -> Portion {
    moment.withLock { moment in
      let cut: Cut<Feed.Cursor>
      // The last cut does not wait for another tick.
      if let present = moment.cut, present.isLast || moment.tick == tick && !feed.isOver {
        cut = present
      } else {
        cut = feed.cut()
        moment = Moment(tick: tick, cut: cut)
      }
      if let bytes = moment.made[cursor] {
        return Portion(bytes: bytes, cursor: cut.cursor, isLast: cut.isLast, cost: moment.cost)
      }
      let clock = ContinuousClock()
      let begin = clock.now
      var bytes = feed.events(after: cursor, until: cut).bytes
      token.hide(in: &bytes)
      moment.cost += clock.now - begin
      moment.made[cursor] = bytes
      return Portion(bytes: bytes, cursor: cut.cursor, isLast: cut.isLast, cost: moment.cost)
    }
  }
}

/// When viewers are told something.
package enum ViewerPace {
  /// The time between two messages, at least.
  package static let tick = Duration.milliseconds(250)
  /// On average a pause is this many times as long as the last events took to make, so that these take 2 % of a
  /// core; but it never has more ticks than ``limit``.
  private static let leisure = 50
  /// The most ticks between two messages.
  private static let limit = 8

  /// The tick of the next message. All viewers with the same costs have the same.
  static func next(after tick: Int, cost: Duration, atLeast least: Int) -> Int {
    let wanted = cost * leisure / Self.tick
    let step = max(least, min(limit, Int(wanted.rounded(.up))))
    return (tick / step + 1) * step
  }
}
