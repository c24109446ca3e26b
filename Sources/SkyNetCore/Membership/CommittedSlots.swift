/// The slots that are committed, and on which system each.
///
/// A slot's number says where it stands in the table, and how often that place was used before: so
/// that taking and finding one is reading an array, and a number that is over is known as such.
struct CommittedSlots: Sendable {
  /// The one that a system has at its seat, as it joined; a seat may be another's afterwards.
  struct Holder: Hashable {
    let seat: Int32
    let joined: UInt32
  }

  private struct Place {
    var uses: UInt32
    /// `nil` if it is free.
    var holder: Holder?
  }

  private var places: [Place] = []
  private var free: [UInt32] = []

  /// Returns a number that no slot had before.
  mutating func add(_ holder: Holder) -> UInt64 {
    guard let place = free.popLast() else {
      places.append(Place(uses: 0, holder: holder))
      return UInt64(places.count - 1)
    }
    places[Int(place)].holder = holder
    return UInt64(places[Int(place)].uses) << 32 | UInt64(place)
  }

  /// Returns who had the slot of this number; `nil` if it is not committed.
  mutating func remove(_ number: UInt64) -> Holder? {
    let place = Int(truncatingIfNeeded: number & 0xffff_ffff)
    guard place < places.count, UInt64(places[place].uses) == number >> 32,
      let holder = places[place].holder
    else { return nil }
    places[place] = Place(uses: places[place].uses &+ 1, holder: nil)
    free.append(UInt32(place))
    return holder
  }
}
