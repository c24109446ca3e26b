extension Roster {
  /// One transition of a slot.
  struct Transition: Sendable, CustomStringConvertible {
    enum Step: UInt8, Sendable { case granted, released }

    let slot: UInt64
    let system: Incarnation
    let step: Step

    var description: String {
      "slot \(SlotMapKeys.ordinal(of: slot)) on \(system) \(step)"
    }
  }
}
