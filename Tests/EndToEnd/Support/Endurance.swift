import Foundation
import Testing

/// Tests that load the machine for long, one after another: none is to take the others' time.
@Suite(.serialized) enum Endurance {
  /// Whether everything is asked for, also what takes minutes.
  static let isThorough = environment["SKYNET_THOROUGH"] == "1"

  /// A number that a person gives through the environment.
  static func number<Value: LosslessStringConvertible>(_ name: String) throws -> Value? {
    guard let text = environment[name] else { return nil }
    guard let value = Value(text) else {
      throw Unexpected("\(name) is \"\(text)\", but it must be a number")
    }
    return value
  }

  /// What a random plan follows from: the seed that is given, or one that was never used.
  static func seed(_ name: String) throws -> UInt64 {
    try number(name) ?? UInt64.random(in: 1...999_999_999)
  }

  /// Lets time pass, where that is what a test is made of: the length of a fault in a plan, the
  /// pause before the next one, how long shares are counted. Nothing is waited for by it.
  static func pass(_ time: Duration) async throws {
    try await Task.sleep(for: time)
  }

  /// Looks four times a second, for as long as a process runs, at what tells nobody when it changes:
  /// its memory.
  static func watch(
    _ process: Running, _ look: () async throws -> Void
  ) async throws {
    while process.soFar.status == nil {
      try await look()
      try await pass(.milliseconds(250))
    }
  }

  /// The most memory that a process has until it ends, in KiB, as far as it was looked at.
  ///
  /// - Throws: if it never could be: no bound is kept by what was not seen.
  static func peakMemory(of process: Running) async throws -> Int {
    var peak = 0
    try await watch(process) { peak = max(peak, Memory.peak(of: process.id) ?? 0) }
    guard peak > 0 else { throw Unexpected("the memory of process \(process.id) was never seen") }
    return peak
  }

  /// Prints figures for people: a line for each, after a heading.
  static func report(_ heading: String, _ lines: [String]) {
    print(([heading] + lines.map { "  " + $0 }).joined(separator: "\n"))
    fflush(nil)
  }

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}

extension Double {
  /// Rounded to so many digits after the point, for people.
  func digits(_ count: Int) -> String { String(format: "%.\(count)f", self) }
}
