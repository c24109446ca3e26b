import Foundation
import Testing

/// Tests that load the machine for long. They run one after another, so that none takes processor
/// time from another.
@Suite("Endurance", .serialized)
enum Endurance {
  /// Whether tests run in their long form, which takes minutes.
  static let isThorough = environment["SKYNET_THOROUGH"] == "1"

  /// A number from an environment variable.
  static func number<Value: LosslessStringConvertible>(_ name: String) throws -> Value? {
    guard let text = environment[name] else { return nil }
    guard let value = Value(text) else {
      throw Unexpected("\(name) is \"\(text)\", but it must be a number")
    }
    return value
  }

  /// The seed of a random plan: from the environment variable, or a new one.
  static func seed(_ name: String) throws -> UInt64 {
    try number(name) ?? UInt64.random(in: 1...999_999_999)
  }

  /// Lets time pass where time is the test's subject: the length of a fault, the pause before the
  /// next one, the period in which shares are counted; and between looks at what has no notification, such as memory.
  /// No test waits for an event with it.
  static func pass(_ time: Duration) async throws {
    try await Task.sleep(for: time)
  }

  /// Calls `look` four times a second while a process runs, for values without a notification, such
  /// as its memory.
  static func watch(
    _ process: RunningProcess, _ look: () async throws -> Void
  ) async throws {
    while process.soFar.status == nil {
      try await look()
      try await pass(.milliseconds(250))
    }
  }

  /// The most memory that a process uses until it ends, in KiB, by samples.
  ///
  /// - Throws: if there was no sample, since a bound could not be checked then.
  static func peakMemory(of process: RunningProcess) async throws -> Int {
    var peak = 0
    try await watch(process) { peak = max(peak, Memory.peak(of: process.id) ?? 0) }
    guard peak > 0 else { throw Unexpected("the memory of process \(process.id) was never seen") }
    return peak
  }

  /// Prints a heading and figures for people, one on each line.
  static func report(_ heading: String, _ lines: [String]) {
    print(([heading] + lines.map { "  " + $0 }).joined(separator: "\n"))
    fflush(nil)
  }

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}

extension Double {
  /// The number with this many decimals, for people.
  func digits(_ count: Int) -> String { String(format: "%.\(count)f", self) }
}
