import SkyCatalog
import SkyNetCommand
import SkyNetCore

/// The message about the output files of an incomplete run.
enum PartialLine {
  /// `a.csv and a.fits have the sources of 11 of 16 sectors only; …`, and which of them have no
  /// mark for that.
  static func written(
    _ coverage: Coverage, _ places: [(path: String?, marksPartial: Bool)]
  ) -> String {
    let names = places.map { name($0.path) }
    let silent = places.filter { !$0.marksPartial }.map { name($0.path) }
    return "\(names.joinedByAnd) \(names.count == 1 ? "has" : "have") the sources of "
      + "\(coverage.scanned) of \(coverage.total) sectors only"
      + (silent.isEmpty ? "" : "; CSV has no place to say so in \(silent.joinedByAnd)")
  }

  /// `left as it was: a.csv; not written: a.png; 5 of 16 sectors have no result; …`, and how to
  /// continue.
  ///
  /// - Parameters:
  ///   - places: the outputs' paths, and whether they exist; `nil` is standard output.
  ///   - tally: the run's counts, if they are known.
  static func left(
    _ places: [(path: String?, isThere: Bool)], _ tally: Tally?, journal: String?,
    isPartialWanted: Bool
  ) -> String {
    var parts = [left(places)]
    parts.append(
      tally.map { "\($0.total - $0.completed) of \($0.total) sectors have no result" }
        ?? "the run was stopped at once")
    if let journal {
      let retries = (tally?.failed ?? 0) > 0 ? ", and --retry-failed tries again what failed" : ""
      parts.append("the same command continues from \(journal)\(retries)")
    } else {
      parts.append("a run with --journal FILE can be continued")
    }
    // A run that was stopped at once writes no catalogue, not even a partial one.
    if tally != nil, !isPartialWanted { parts.append("--partial writes what there is") }
    return parts.joined(separator: "; ")
  }

  /// `left as it was: a.csv; not written: a.png`
  static func left(_ places: [(path: String?, isThere: Bool)]) -> String {
    let kept = places.filter(\.isThere).map { name($0.path) }
    let unmade = places.filter { !$0.isThere }.map { name($0.path) }
    return [
      kept.isEmpty ? nil : "left as it was: \(kept.joinedByAnd)",
      unmade.isEmpty ? nil : "not written: \(unmade.joinedByAnd)",
    ].compactMap { $0 }.joined(separator: "; ")
  }

  private static func name(_ path: String?) -> String { path ?? StandardOutput.name }
}
