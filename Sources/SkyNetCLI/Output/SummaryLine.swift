import SkyNetCore

/// The last line of a run:
/// `200 of 200 sectors in 17.304 s by 3 systems (a 70, b 68, local 62), 19 retried, 0 failed`.
/// Counts include what a journal had; `, 1200 done before` tells how much that was.
///
/// To the millisecond where a run took less than 100 s, and to tenths beyond, so that short runs can
/// be compared.
enum SummaryLine {
  static func text(_ tally: Tally) -> String {
    let shares = tally.sharesBySystem
    let systems = "\(shares.count) system\(shares.count == 1 ? "" : "s")"
    let names = shares.map { "\($0.system) \($0.completed)" }.joined(separator: ", ")
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
