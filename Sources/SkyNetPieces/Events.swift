import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// Has a view of a run, of which terminal and page show excerpts, take a thousand events: half of them sectors that are
/// handed out, half of them results.
func seeingEvents() -> () throws -> Void {
  let run = RunID()
  func update(_ event: EngagementEvent, at milliseconds: Int) -> EngagementUpdate {
    EngagementUpdate(
      run: run, time: Date(timeIntervalSince1970: 1_700_000_000 + Double(milliseconds) / 1000),
      event: event, tally: Tally(total: 0))
  }
  let (sectors, inFlight) = (500, 8)
  var updates = [
    update(.began(name: "sky", sectors: sectors, passes: []), at: 0),
    update(.added(tasks: sectors, pass: 0), at: 0),
  ]
  for turn in 0..<sectors + inFlight {
    let back = turn - inFlight
    if turn < sectors {
      updates.append(
        update(
          .handedOut(.init(task: TaskID(sector: turn), system: "system-\(turn % 4)")), at: turn))
    }
    if back >= 0 {
      let result = SectorResult(
        sector: back, result: 0, system: "system-\(back % 4)", attempts: 1, seconds: 0.001)
      updates.append(update(.completed(result), at: turn))
    }
  }
  return { [updates] in
    var view = RunView()
    for update in updates { view.apply(update) }
    guard view.completed == sectors else {
      throw UnexpectedOutcome(description: "\(view.completed) sectors are completed")
    }
  }
}
