/// Decides when a wait for a drained system is over, from what is seen of the system, look by look.
struct DrainWait {
  /// What is seen of the system at a time.
  enum Sight: Hashable {
    /// It answers, and so many scans run there.
    case answers(isDraining: Bool, running: Int)
    /// It is connected, but has not answered in time.
    case silent
    /// It said goodbye because it has stopped.
    case stopped
    /// It said goodbye because it takes scans again.
    case undrained
    /// The connection has ended in another way, and there is no other.
    case lost
    /// The connection is lost, and another process has taken its place since.
    case replaced
  }

  /// How a wait ends.
  enum End: Hashable {
    case idle, stopped, undrained, replaced

    /// Whether nothing runs there any more, and nothing new begins.
    var isSuccess: Bool { self == .idle || self == .stopped }

    /// The line for a system of this name.
    func line(_ name: String) -> String {
      switch self {
      case .idle: "\(name) runs nothing any more"
      case .stopped: "\(name) has left"
      case .undrained: "\(name) was undrained meanwhile, and takes scans"
      case .replaced: "\(name) was started anew, and is not drained: drain it again"
      }
    }
  }

  /// How many looks in a row have found the connection lost. A goodbye may be heard a little after its connection
  /// has gone.
  private var lostLooks = 0

  /// Whether the connection has been lost for long enough to tell.
  var isLost: Bool { lostLooks > 1 }

  /// Takes what is seen now. Returns how the wait ends; `nil` while it goes on.
  mutating func saw(_ sight: Sight) -> End? {
    lostLooks = sight == .lost ? lostLooks + 1 : 0
    return switch sight {
    case .answers(isDraining: false, _), .undrained: .undrained
    case .answers(isDraining: true, let running): running == 0 ? .idle : nil
    case .stopped: .stopped
    case .replaced: .replaced
    case .silent, .lost: nil
    }
  }
}
