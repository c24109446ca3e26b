import SkyNetCore

extension Backoff {
  /// The waits between attempts to reach a daemon: short enough after a restart of the daemon, long enough
  /// where no daemon is installed.
  static var forDaemon: Backoff { Backoff(first: .milliseconds(500), limit: .seconds(5)) }
}
