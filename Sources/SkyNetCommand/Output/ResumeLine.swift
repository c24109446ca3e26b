import SkyNetJournal

/// The message at the start of a run that continues an earlier one: `1200 of 2000 sectors are done
/// in run.sqlite, 3 failed; the rest follows`.
enum ResumeLine {
  static func text(_ progress: JournalProgress, in file: String) -> String {
    let counts =
      "\(progress.done) of \(progress.sectors) sectors are done in \(file)"
      + (progress.failed > 0 ? ", \(progress.failed) failed" : "")
    guard progress.isComplete else { return counts + "; the rest follows" }
    return counts + "; nothing is left to do"
      + (progress.failed > 0 ? " (--retry-failed tries the failed ones again)" : "")
  }
}
