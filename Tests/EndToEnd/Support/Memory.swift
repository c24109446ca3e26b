import Foundation

/// What a process has of the machine's memory, in KiB.
enum Memory {
  /// Whether processes keep a sanitizer's books too, in far more memory than they need.
  static let isInstrumented = ProcessInfo.processInfo.environment["SKYNET_SANITIZER"] != nil

  /// What it has now.
  static func now(of process: pid_t) -> Int? { field("VmRSS", of: process) }

  /// The most that it ever had.
  static func peak(of process: pid_t) -> Int? { field("VmHWM", of: process) }

  /// `nil` where the process is gone, or the system has no /proc.
  private static func field(_ name: String, of process: pid_t) -> Int? {
    guard let data = FileManager.default.contents(atPath: "/proc/\(process)/status") else {
      return nil
    }
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
      .flatMap { Int($0) }
  }

  static func text(_ kibibytes: Int) -> String { "\((Double(kibibytes) / 1024).digits(1)) MiB" }
}
