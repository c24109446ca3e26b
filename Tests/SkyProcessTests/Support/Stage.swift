import Foundation
import ProgramHost
import TestSupport
import Testing

/// A host, and folders for a test.
struct Stage: Sendable {
  let host: RunningHost
  /// A folder for the test's own files.
  let folder: String
  /// Where the host makes programs' own folders.
  let temporary: String

  /// Runs a test with a host, which has ended afterwards, as have all its processes.
  static func with(
    environment: [String: String] = [:],
    _ body: (Stage) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "skynet-programs-" + UUID().uuidString
    let temporary = folder + "/temporary"
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let host = try RunningHost(temporaryFolder: temporary, environment: environment)
    defer { host.close() }
    try await body(Stage(host: host, folder: folder, temporary: temporary))
  }

  /// Makes a file that can be executed, and returns its path.
  ///
  /// Another process writes it. What this one writes is open for a moment in each process that another test starts
  /// meanwhile, and the system executes no file that is open for writing.
  func script(_ name: String, _ text: String) async throws -> String {
    let path = folder + "/" + name
    let source = path + ".txt"
    try Data(text.utf8).write(to: URL(fileURLWithPath: source))
    let copying = try await host.run("/bin/cp", source, path)
    try #require(copying.exitStatus == 0)
    try #require(chmod(path, 0o755) == 0)
    return path
  }

  /// The names of the keepers' folders that are there.
  var folders: [String] {
    let parents = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
    return parents.flatMap { parent in
      (try? FileManager.default.contentsOfDirectory(atPath: temporary + "/" + parent)) ?? []
    }
  }
}

/// A named pipe that processes keep open, so that a test notices their end, and may write lines to.
final class Beacon {
  let path: String
  private let reading: CInt
  private var rest: [UInt8] = []

  /// What a shell does to keep the pipe open, as do all that it starts.
  var script: String { "exec 9>'\(path)'\n" }

  init(in folder: String) throws {
    path = folder + "/beacon-" + UUID().uuidString
    try #require(mkfifo(path, 0o600) == 0)
    reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(reading >= 0)
  }

  deinit { close(reading) }

  /// Waits for a line.
  func line() throws -> String {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Array(rest[(end + 1)...]) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      try #require(try more() > 0, "the processes ended without a line")
    }
  }

  /// Waits until no process has the pipe open.
  func goesOut() throws {
    while try more() > 0 {}
  }

  /// Whether no process has the pipe open, after some had.
  var isOut: Bool {
    var byte: UInt8 = 0
    while case let count = read(reading, &byte, 1), count != 0 {
      if count < 0 { return false }
    }
    return true
  }

  /// - Returns: how many bytes came; 0 if no process has the pipe open any more.
  private func more() throws -> Int {
    var file = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    // Longer than any step takes on a loaded machine.
    try #require(poll(&file, 1, 300_000) > 0)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(reading, &bytes, bytes.count)
    try #require(count >= 0)
    rest += bytes[..<count]
    return count
  }
}

/// The processes below a process, as the system tells.
func descendants(of process: pid_t) -> [pid_t] {
  let children = children(of: process)
  return children + children.flatMap(descendants)
}

/// The processes that a process of one thread has started, as the system tells.
func children(of process: pid_t) -> [pid_t] {
  let text = try? String(
    contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
  return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
}

/// How many descriptors a process has.
func openFiles(_ process: pid_t) throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
}

/// Whether lines of sh succeed: whether a test can do here what it needs.
func succeeds(_ lines: String) -> Bool {
  var status: CInt = -1
  guard
    let process = try? spawn(
      "/bin/sh", ["-ec", lines], ProcessInfo.processInfo.environment, output: STDERR_FILENO,
      errors: STDERR_FILENO)
  else { return false }
  while waitpid(process, &status, 0) < 0, errno == EINTR {}
  return status == 0
}
