import SkyNetCore

extension Backoff {
  /// How often a daemon that is not there is asked again: soon after a restart, and seldom enough
  /// for one that was never installed.
  static var forDaemon: Backoff { Backoff(first: .milliseconds(500), limit: .seconds(5)) }
}
