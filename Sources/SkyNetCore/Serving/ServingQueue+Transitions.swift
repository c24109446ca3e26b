extension ServingQueue {
  /// One transition of a call.
  struct Transition: Sendable, CustomStringConvertible {
    enum Step: UInt8, Sendable {
      case waited, started, ended, withdrew, ignoredCancelling, handedBack
    }

    let call: CallID
    let step: Step

    var description: String { "call \(call) \(step)" }
  }
}
