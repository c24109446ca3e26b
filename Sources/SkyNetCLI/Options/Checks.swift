import ArgumentParser
import Foundation
import SkyNetCore
import SkyNetDiscovery

/// Checks of values on the command line. Each error names the flag, the fault and the limit.
enum Check {
  static func range<Value: Comparable>(
    _ flag: String, _ value: Value?, _ limits: ClosedRange<Value>
  ) throws {
    guard let value, !limits.contains(value) else { return }
    // A value that is no number is in no range either.
    throw ValidationError(
      value < limits.lowerBound
        ? "--\(flag) is \(value), but at least \(limits.lowerBound) is needed"
        : "--\(flag) is \(value), but at most \(limits.upperBound) is allowed")
  }

  /// A duration in seconds, at most a day.
  static func seconds(_ flag: String, _ value: Double?, atLeast least: Double = 0.001) throws {
    try range(flag, value, least...Hello.maximumTimeoutSeconds)
  }

  static func slots(_ value: Int?) throws {
    try range("slots", value, 1...Hello.maximumSlots)
  }

  /// A name under which a node can be advertised.
  static func name(_ name: String?) throws {
    guard let name else { return }
    do {
      try DNSSD.validate(name: name)
    } catch {
      throw ValidationError("--name: \(error)")
    }
  }

  /// Whether two paths lead to one file, as far as that can be told before it is made.
  static func isSame(_ path: String, _ other: String) -> Bool {
    func place(_ path: String) -> URL {
      URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath()
    }
    return place(path) == place(other)
  }

  /// Checks that what is written is none of some other files. A device takes whatever it is given.
  static func isNone(
    of files: [(flag: String, path: String?)], writtenBy flag: String, _ path: String?
  ) throws {
    guard let path, !path.hasPrefix("/dev/") else { return }
    for other in files {
      guard let file = other.path, isSame(file, path) else { continue }
      throw ValidationError(
        "--\(other.flag) and --\(flag) name the same file, \(path): give each its own")
    }
  }
}
