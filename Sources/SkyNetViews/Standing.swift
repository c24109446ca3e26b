/// A system's condition, and what it is but for a silence.
struct Standing: Sendable {
  private(set) var condition = SystemRow.Condition.present
  private var beforeSilence = SystemRow.Condition.present

  mutating func set(_ condition: SystemRow.Condition) {
    self.condition = condition
    beforeSilence = condition
  }

  /// Nothing has come from the system since then.
  mutating func silent(since time: Double) { condition = .silent(since: time) }

  /// A silent system has sent something again.
  mutating func heard() { condition = beforeSilence }

  /// The system's pause is over.
  mutating func resumed() {
    if case .paused = beforeSilence { beforeSilence = .present }
    if case .paused = condition { condition = .present }
  }

  /// The system takes tasks again.
  mutating func serves() {
    switch condition {
    case .leaving, .yielding: set(.present)
    default: if case .leaving = beforeSilence { beforeSilence = .present }
    }
  }
}
