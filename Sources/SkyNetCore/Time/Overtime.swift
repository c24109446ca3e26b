/// What several things took together beyond what each of them may: those that take less pay it back.
///
/// So a thread that the kernel lets stand for a moment is forgiven, and what is slow each time is not.
package struct Overtime: Sendable {
  /// What one of them may take.
  private let allowance: Duration
  /// More than this is not remembered.
  private let most: Duration
  package private(set) var sum: Duration

  package init(allowance: Duration, most: Duration, sum: Duration = .zero) {
    self.allowance = allowance
    self.most = most
    self.sum = sum
  }

  /// One of them took this long.
  package mutating func add(_ duration: Duration) {
    sum = min(max(.zero, sum + duration - allowance), most)
  }
}
