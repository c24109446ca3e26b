/// Sorts floats by their bits, eleven at a time: several times faster than comparing, and sorting
/// is what most of the time of a background would go to.
struct FloatSorter {
  private var keys: [UInt32] = []
  private var spare: [UInt32] = []

  /// Sorts in ascending order. There must be no NaN; -0 comes before 0.
  mutating func sort(_ values: inout [Float]) {
    // Flipped so, the bits of floats order as the floats do: all of a negative's, the sign of a
    // positive's.
    keys = values.map { value in
      let bits = value.bitPattern
      return bits & 0x8000_0000 == 0 ? bits | 0x8000_0000 : ~bits
    }
    if spare.count != keys.count { spare = keys }
    for shift: UInt32 in [0, 11, 22] where scatter(shift) { swap(&keys, &spare) }
    values = keys.map { key in
      Float(bitPattern: key & 0x8000_0000 == 0 ? ~key : key & 0x7fff_ffff)
    }
  }

  /// Moves the keys to the spare, ordered by eleven of their bits and else as they were; false,
  /// and nothing moved, if those bits are the same in all, as they often are in a mesh.
  private mutating func scatter(_ shift: UInt32) -> Bool {
    keys.withUnsafeBufferPointer { keys in
      spare.withUnsafeMutableBufferPointer { spare in
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2048) { places in
          places.initialize(repeating: 0)
          for key in keys { places[Int(key >> shift) & 2047] += 1 }
          guard let first = keys.first, places[Int(first >> shift) & 2047] < keys.count else {
            return false
          }
          var next = 0
          for digit in 0..<2048 {
            let count = places[digit]
            places[digit] = next
            next += count
          }
          for key in keys {
            let digit = Int(key >> shift) & 2047
            spare[places[digit]] = key
            places[digit] += 1
          }
          return true
        }
      }
    }
  }
}
