import Foundation

/// The resident memory of a process, in KiB.
enum Memory {
  /// Whether the processes run with a sanitizer, which uses much more memory.
  static let isInstrumented = ProcessInfo.processInfo.environment["SKYNET_SANITIZER"] != nil

  /// The memory that the process uses now.
  static func now(of process: pid_t) -> Int? { field("VmRSS", of: process) }

  /// The memory that the process uses now beside the pages of files.
  static func ownPages(of process: pid_t) -> Int? { field("RssAnon", of: process) }

  /// The most memory that the process has ever used.
  static func peak(of process: pid_t) -> Int? { field("VmHWM", of: process) }

  /// `nil` if the process is gone, or the system has no /proc.
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
