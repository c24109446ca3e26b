import Foundation
package import SkyNetCluster
package import SkyNetCore
package import SkyNetViews
import Synchronization

/// What a page shows of a run. The engagement gives it each event, and never waits for viewers.
package final class RunFeed: PageFeed {
  package struct Cursor: Hashable, Sendable {
    var field: UInt32 = 0
    var attempts = 0
    var failures = 0
    var points = 0
    var notices = 0
    var parts = 0
    var curve = RunCurve.Cursor()
    var hasEnded = false
    var hasEnding = false
    var picture = 0
    /// The second of the message, of a run that has ended: viewers want to hear that the server is still there.
    var second = 0
  }

  struct State {
    var view: RunView
    var failures = FailureList()
    var points = PointList()
    var parts = PartList()
    var ending: RunEnding?
    var isOver = false

    init(weights: [Double]) { view = RunView(weights: weights) }
  }

  package let kind = "run"
  package let ticksBetweenMessages = 1
  package let beginning = Cursor()
  package let words: RunWords
  let grid: PictureGrid?
  /// How many scans this process runs at a time, which its events do not tell.
  let localSlots: Int
  package let picture: PagePicture?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - words: what the run's parts are called, and the points on its picture.
  ///   - weights: how long each pass takes, in relation to the others; empty if that is not known.
  ///   - grid: how the sectors lie on the picture; `nil` if they are a numbered field.
  ///   - picture: what is scanned.
  ///   - localSlots: how many scans this process runs at a time.
  package init(
    words: RunWords = RunWords(), weights: [Double] = [], grid: PictureGrid? = nil,
    picture: PagePicture? = nil, localSlots: Int = 0
  ) {
    state = Mutex(State(weights: weights))
    self.localSlots = localSlots
    self.words = words
    self.grid = grid
    self.picture = picture
  }

  package func apply(_ update: EngagementUpdate) {
    state.withLock { state in
      state.view.apply(update)
      switch update.event {
      case .failed(let failure), .restoredFailure(let failure): state.failures.add(failure)
      case .grew(let part, _): state.parts.add(part)
      default: break
      }
    }
  }

  /// Takes points that were found. The first unit of the picture has its middle at 1, 1, and y grows upwards.
  package func found(_ points: some Sequence<(x: Double, y: Double, strength: Double)>) {
    state.withLock { state in
      for point in points { state.points.add(point) }
    }
  }

  /// The run has been asked to stop.
  package func stops() { state.withLock { $0.view.stops() } }

  /// The run was given up, so that it reports no end itself.
  package func abandoned(for reason: String) {
    state.withLock { $0.view.abandoned(for: reason) }
  }

  /// The run has ended, and viewers are told what it has come to.
  package func ended(_ ending: RunEnding) { state.withLock { $0.ending = ending } }

  package var documents: [PageDocument] { state.withLock { $0.ending?.documents ?? [] } }

  package func end() { state.withLock { $0.isOver = true } }

  package var isOver: Bool { state.withLock { $0.isOver } }

  package func cut() -> Cut<Cursor> {
    let time = Date.now.timeIntervalSince1970
    return state.withLock { state in
      state.view.releaseLines(at: time)
      state.view.nothingHappened(until: time)
      let hasEnded = state.view.end != nil
      let cursor = Cursor(
        field: state.view.nextVersion(), attempts: state.view.attempts.endedCount,
        failures: state.failures.count, points: state.points.count,
        notices: state.view.notices.count, parts: state.parts.count,
        curve: state.view.curve.cursor, hasEnded: hasEnded,
        hasEnding: state.ending != nil, picture: picture?.version() ?? 0,
        second: hasEnded ? Int(time) : 0)
      return Cut(cursor: cursor, time: time, isLast: state.isOver)
    }
  }

  package func events(after cursor: Cursor, until cut: Cut<Cursor>) -> EventBytes {
    // The engagement waits for this lock. So only what must be is done under it, and text is made later.
    let news = state.withLock { RunNews(of: $0, after: cursor, until: cut) }
    var events = EventBytes()
    news.write(to: &events, of: self)
    return events
  }
}
