import Foundation
package import Testing

/// A D-Bus and an Avahi on the loopback interface for these tests alone, made by `deploy/with-avahi`. They end with
/// this process.
package enum PrivateAvahi {
  package static let missing: Comment =
    "needs root, Avahi and a mount namespace of its own: see deploy/with-avahi"

  /// Whether they are there: this process was started with them, or the first use of this property has.
  ///
  /// A process keeps to the D-Bus that it used first. So conditions of tests use this property: Swift Testing looks
  /// at them before it runs the first test.
  package static let isThere = processFile != nil || start()

  /// Ends the daemon, which `deploy/with-avahi` then starts again.
  package static func restart() throws {
    let text = try String(contentsOfFile: #require(processFile), encoding: .utf8)
    let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    try #require(process > 1)
    try #require(kill(process, SIGTERM) == 0)
  }

  private static let variable = "SKYNET_TEST_AVAHI_PID_FILE"

  private static var processFile: String? { ProcessInfo.processInfo.environment[variable] }

  /// The script's command says its process id, in whose file system the daemons' files are, and ends with this
  /// process, which holds the other end of its input.
  private static func start() -> Bool {
    guard geteuid() == 0 else { return false }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("deploy/with-avahi")
    let output = Pipe()
    guard
      (try? spawn(
        script.path, ["sh", "-c", "echo $$; exec cat"], ProcessInfo.processInfo.environment,
        input: input.fileHandleForReading.fileDescriptor,
        output: output.fileHandleForWriting.fileDescriptor, errors: STDERR_FILENO)) != nil,
      (try? output.fileHandleForWriting.close()) != nil,
      let id = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        .split(separator: "\n").first
    else { return false }
    let root = "/proc/\(id)/root/run"
    setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(root)/dbus/system_bus_socket", 1)
    setenv(variable, "\(root)/with-avahi/avahi.pid", 1)
    return true
  }

  private static let input = Pipe()
}
