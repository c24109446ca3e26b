import Synchronization

/// Counts the calls of a scan, from any thread.
public final class CallCounter: Sendable {
  /// The counter that a process has in common.
  public static let process = CallCounter()

  private let count = Atomic<Int>(0)

  public init() {}

  /// The number of this call; the first is 1.
  func next() -> Int {
    count.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
