import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// The notices of a run, up to a limit. Those of systems come first, then re-runs, then sectors that were given
/// up; half of the room is kept for the last.
struct NoticeList {
  private var notices: [RunReport.Notice] = []
  var leftOut = 0

  mutating func add(_ text: String, at time: Int, isFault: Bool = false) {
    guard notices.count < RunReport.noticeLimit else {
      leftOut += 1
      return
    }
    notices.append(RunReport.Notice(at: time, text: text.cut, isFault: isFault))
  }

  /// Adds an event with the text that every view gives it.
  mutating func add(_ event: EngagementEvent, at time: Int) {
    if case .retried = event, notices.count >= RunReport.noticeLimit / 2 {
      leftOut += 1
      return
    }
    guard let text = EventText.text(event) else { return }
    add(text, at: time, isFault: event.isFault)
  }

  /// The notices by their time.
  var ordered: [RunReport.Notice] {
    notices.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }
}
