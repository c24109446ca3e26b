import SkyNetCore

/// The last line of a run: `200 of 200 sectors in 17.304 s by 3 systems (a 70, b 68, local 62), 19
/// retried, 0 failed`. The counts include results from a journal; `, 1200 done before` says how
/// many. Of many systems the ten with the largest shares are named: `by 120 systems (a 70, b 68, … and 110
/// more)`, with ten names.
///
/// The time has milliseconds below 100 s, so that short runs can be compared, and tenths beyond.
enum SummaryLine {
  static func text(_ tally: Tally) -> String {
    let shares = tally.sharesBySystem
    let systems = "\(shares.count) system\(shares.count == 1 ? "" : "s")"
    let names = NameList.text(shares.map { "\($0.system) \($0.completed)" })
    return "\(tally.completed) of \(tally.total) sectors in \(time(tally.elapsed)) s"
      + " by \(systems)"
      + (names.isEmpty ? "" : " (\(names))")
      + ", \(tally.retried) retried, \(tally.failed) failed"
      + (tally.restoredCount > 0 ? ", \(tally.restoredCount) done before" : "")
  }

  private static func time(_ elapsed: Duration) -> String {
    elapsed < .seconds(100) ? elapsed.inSeconds.inMilliseconds : elapsed.inTenths
  }
}
