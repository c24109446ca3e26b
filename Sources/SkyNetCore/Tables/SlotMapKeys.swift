/// Gives out numbers for things that come and go. A later number is higher, and none is given
/// twice; and each says where its thing stands in a ``SlotMap``.
///
/// The low 26 bits are the place, which is given again when its thing has gone, the latest first,
/// as it is likely still in the processor's cache. The others count up: enough for 67 million things
/// at a time, and 137 billion in all before a number takes 64 bits as a signed one.
struct SlotMapKeys: Sendable {
  private static let placeBits: UInt64 = 26

  private var free: [Int] = []
  private var places = 0
  private var count: UInt64 = 0

  static func place(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: number & (1 << placeBits - 1))
  }

  /// Which of all numbers this is, from 1; for people.
  static func ordinal(of number: UInt64) -> UInt64 { number >> placeBits }

  /// Whether this number was given out, and may have been freed since.
  func wasGiven(_ number: UInt64) -> Bool {
    (1...max(count, 1)).contains(Self.ordinal(of: number)) && count > 0
      && Self.place(of: number) < places
  }

  mutating func next() -> UInt64 {
    let place = free.popLast() ?? places
    if place == places { places += 1 }
    precondition(places <= 1 << Self.placeBits, "more at a time than there are numbers for")
    count += 1
    return count << Self.placeBits | UInt64(place)
  }

  /// A number's thing has gone. To be told once.
  mutating func free(_ number: UInt64) { free.append(Self.place(of: number)) }
}
