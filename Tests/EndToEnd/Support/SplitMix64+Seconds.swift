import SkyNetCore

extension SplitMix64 {
  mutating func seconds(_ range: ClosedRange<Double>) -> Duration {
    .milliseconds(Int64(Double.random(in: range, using: &self) * 1000))
  }
}
