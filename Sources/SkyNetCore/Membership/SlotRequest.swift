/// A wish for slots.
public struct SlotRequest: Hashable, Sendable, Identifiable {
  /// Who is served first.
  public enum Priority: Int, Comparable, Sendable {
    /// Slots that nobody else wants, and that are idle: none beyond what a system scans at a time,
    /// and none on a system to avoid.
    case idle
    case normal
    case urgent

    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
  }

  public let id: UInt64
  public let kind: ScanKind
  /// The most slots that are of use; the fewest is one.
  public let count: Int
  /// Systems on which the task failed, the last one last: another is chosen if there is one.
  public let avoiding: [Incarnation]
  public let priority: Priority

  public init(
    id: UInt64, kind: ScanKind, count: Int = 1, avoiding: [Incarnation] = [],
    priority: Priority = .normal
  ) {
    self.id = id
    self.kind = kind
    self.count = count
    self.avoiding = avoiding
    self.priority = priority
  }
}
