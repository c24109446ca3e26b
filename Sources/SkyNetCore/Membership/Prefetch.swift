/// Decides how many attempts to send to a system beyond its slots. The number follows from how long
/// the system's scans take, and how long a handover takes.
///
/// With `slots` scans of `scan` seconds running, and `handover` seconds from one answer to the
/// arrival of the next task, slots × handover ÷ scan attempts in transit keep every slot busy. For
/// long scans that is 0: an attempt that waits in one system's queue could have run elsewhere.
///
/// A system that other coordinators use too gives a free slot to a call that waits there. Suppose
/// that one coordinator has all slots, and its scans end together. It must have calls waiting, or
/// the others get all the slots. Half as many waiting attempts as slots keep the shares even.
package struct Prefetch: Hashable, Sendable {
  /// The most attempts in flight for each slot. A larger number hides longer handovers, and leaves
  /// more to steal back when another system runs out of work.
  package static let mostPerSlot = 32
  /// The most calls that one peer makes at a time to a system with this many slots: as many as the
  /// peer prefetches at most, and all of them a second time.
  package static func callLimit(slots: Int) -> Int { 2 * mostPerSlot * max(1, slots) }

  /// The weight of one measurement in the averages.
  private static let weight = 0.2

  private var scan: Double?
  private var handover = 0.0
  private var isShared = false

  package init() {}

  /// An attempt came back with this timing.
  package mutating func measured(_ timing: AttemptTiming) {
    isShared = timing.isShared
    // A standstill of half a minute would be taken for a long handover, and the system would be
    // sent dozens of attempts ahead.
    if timing.isDisturbed { return }
    let handoverTime = max(0, timing.handover)
    guard let average = scan else {
      scan = timing.scan
      handover = handoverTime
      return
    }
    scan = average + Self.weight * (timing.scan - average)
    handover += Self.weight * (handoverTime - handover)
  }

  /// The number of attempts that a system may have beyond its slots.
  package func depth(slots: Int) -> Int {
    guard let scan else { return 0 }
    let limit = slots * (Self.mostPerSlot - 1)
    // At least a microsecond, so that scans of no length lead to the limit.
    let ahead = Double(slots) * handover / max(scan, 1e-6)
    // Below a hundredth of the slots, an attempt ahead gains less than imbalance at the end would
    // cost.
    let hidden = ahead < Double(slots) / 100 ? 0 : Int(min(Double(limit), ahead.rounded(.up)))
    return isShared ? max(hidden, (slots + 1) / 2) : hidden
  }
}
