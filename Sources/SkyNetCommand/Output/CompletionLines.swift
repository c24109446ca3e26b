/// Which of the completed sectors have a line of their own above a panel: the first ones of each second. The others are
/// counted, as nobody reads hundreds a second.
struct CompletionLines {
  /// The most lines a second.
  static let perSecond = 4

  private var secondBegan = -Double.infinity
  private var shown = 0
  private var hidden = 0

  /// Whether completed sectors wait to be counted in a line.
  var isHolding: Bool { hidden > 0 }

  /// Whether a sector that is completed now, in seconds, has a line of its own.
  mutating func shows(at now: Double) -> Bool {
    // Those that were hidden have their line first.
    if hidden == 0, now - secondBegan >= 1 {
      secondBegan = now
      shown = 0
    }
    guard hidden == 0, shown < Self.perSecond else {
      hidden += 1
      return false
    }
    shown += 1
    return true
  }

  /// The line that counts the others, if their second is over.
  mutating func due(at now: Double) -> String? { now - secondBegan >= 1 ? flush() : nil }

  /// The line that counts the others, if there are any.
  mutating func flush() -> String? {
    guard hidden > 0 else { return nil }
    defer { hidden = 0 }
    return "and \(hidden) more completed"
  }
}
