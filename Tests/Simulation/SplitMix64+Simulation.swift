import SkyNetCore

import struct Foundation.UUID

extension SplitMix64 {
  mutating func seconds(_ range: ClosedRange<Double>) -> Duration {
    // Whole microseconds, so that sums are the same in any order.
    let microseconds = Int64(range.lowerBound * 1e6)...Int64(range.upperBound * 1e6)
    return .microseconds(Int64.random(in: microseconds, using: &self))
  }

  mutating func incarnation() -> Incarnation {
    var uuid = UUID().uuid
    let (high, low) = (next(), next())
    withUnsafeMutableBytes(of: &uuid) { bytes in
      bytes.storeBytes(of: high, toByteOffset: 0, as: UInt64.self)
      bytes.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
    }
    return Incarnation(uuid: UUID(uuid: uuid))
  }
}
