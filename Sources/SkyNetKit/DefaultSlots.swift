/// Decides how many scans a process runs at a time unless it is told.
package struct DefaultSlots: Hashable, Sendable {
  package let count: Int
  /// The limit that set the number, for people; `nil` if none did.
  package let limit: String?

  /// What the process itself takes, and what a scan in a slot has at least: a sector as it came, and what becomes of
  /// it on the way to its result.
  static let (processBytes, slotBytes) = (32 << 20, 16 << 20)
  private static let least = 4

  /// - Parameters:
  ///   - cores: how many processors there are.
  ///   - limits: what the control groups leave to the process.
  init(cores: Int, limits: ControlGroupLimits) {
    var (count, limit) = (max(Self.least, cores), nil as String?)
    if let processors = limits.processors {
      // Half a processor has a slot, and one and a half have two.
      let most = max(1, Int(min(processors, 1e6).rounded()))
      if most < count {
        (count, limit) = (most, "its control group's CPU quota of \(Self.short(processors))")
      }
    }
    if let memory = limits.memory {
      let most = max(1, (memory - Self.processBytes) / Self.slotBytes)
      if most < count {
        (count, limit) = (most, "its control group's memory limit of \(memory >> 20) MiB")
      }
    }
    self.count = count
    self.limit = limit
  }

  /// To the hundredth, without zeros at the end.
  private static func short(_ number: Double) -> String {
    let text = "\((number * 100).rounded() / 100)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
