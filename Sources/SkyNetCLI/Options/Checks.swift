import ArgumentParser
import SkyNetCore
import SkyNetDiscovery

/// Checks of values on the command line. Each error names the flag, the fault and the limit.
enum Check {
  static func range<Value: Comparable>(
    _ flag: String, _ value: Value?, _ limits: ClosedRange<Value>
  ) throws {
    guard let value, !limits.contains(value) else { return }
    throw ValidationError(
      value < limits.lowerBound
        ? "--\(flag) is \(value), but at least \(limits.lowerBound) is needed"
        : "--\(flag) is \(value), but at most \(limits.upperBound) is allowed")
  }

  /// A duration in seconds that is more than nothing and at most a day.
  static func seconds(_ flag: String, _ value: Double?) throws {
    guard let value else { return }
    guard value > 0, value <= Hello.maximumTimeoutSeconds else {
      throw ValidationError(
        "--\(flag) is \(value), but it must be more than 0 and at most "
          + "\(Int(Hello.maximumTimeoutSeconds)) seconds")
    }
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
}
