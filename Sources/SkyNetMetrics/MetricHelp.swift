/// What the metrics mean whose instruments know only their names. `docs/observability.md` has the same table.
enum MetricHelp {
  static func text(for name: String) -> String {
    texts[name] ?? "Measured by this program's own code."
  }

  private static let texts = [
    "skynet_scans_total":
      "The scans that ended in this process, by kind of scan: done, retried (an error, and tried again), "
      + "or cancelled.",
    "skynet_scan_duration_seconds": "How long the scans in this process ran, by kind of scan.",
    "skynet_attempts_total":
      "The attempts at tasks that ended: their output was accepted (done), they failed and others "
      + "followed (retried) or the task was given up with them (failed), they were lost with their "
      + "system, or were withdrawn.",
    "skynet_retries_total": "The attempts that failed and were followed by another.",
    "skynet_tasks_total":
      "The tasks whose output was accepted, by the system that scanned; local is this process.",
  ]
}
