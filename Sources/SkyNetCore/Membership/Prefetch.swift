/// How long a system's scans take, and how long it takes to hand them over; from that, how many
/// attempts to keep on their way to it beyond its slots.
///
/// With `slots` scans of `scan` seconds running, and `handover` seconds from one answer to the
/// next task's arrival, slots × handover ÷ scan attempts underway keep every slot busy. Long scans
/// give 0: an attempt that waits in one system's queue could have run elsewhere.
///
/// A system that other coordinators use too gives a free slot to a call that waits there. A coordinator that has
/// all slots, with scans that end together, must have something waiting, or the others get all of them: half
/// as many attempts as slots keep the shares even.
package struct Prefetch: Hashable, Sendable {
  /// The most attempts underway for each slot. More hides longer handovers, and leaves more to
  /// steal back when another system runs out of work.
  package static let mostPerSlot = 32
  /// The most calls that one peer makes at a time to a system of so many slots: as many as it
  /// hands over at the most, and all of them a second time.
  package static func callLimit(slots: Int) -> Int { 2 * mostPerSlot * max(1, slots) }

  /// How much one measurement moves the averages.
  private static let weight = 0.2

  private var scan: Double?
  private var handover = 0.0
  private var isShared = false

  package init() {}

  /// An attempt came back.
  package mutating func measured(_ timing: AttemptTiming) {
    isShared = timing.isShared
    // Half a minute of standing still, taken for a handover, would have a system sent dozens of
    // attempts ahead.
    if timing.isDisturbed { return }
    let over = max(0, timing.turnaround - timing.scan - timing.queued)
    guard let average = scan else {
      scan = timing.scan
      handover = over
      return
    }
    scan = average + Self.weight * (timing.scan - average)
    handover += Self.weight * (over - handover)
  }

  /// How many attempts beyond its slots a system may have.
  package func depth(slots: Int) -> Int {
    guard let scan else { return 0 }
    let limit = slots * (Self.mostPerSlot - 1)
    // At least a microsecond, so that scans of no length ask for the limit.
    let ahead = Double(slots) * handover / max(scan, 1e-6)
    // Below a hundredth the gain is less than what imbalance at the end would cost.
    let hidden = ahead < Double(slots) / 100 ? 0 : Int(min(Double(limit), ahead.rounded(.up)))
    return isShared ? max(hidden, (slots + 1) / 2) : hidden
  }
}
