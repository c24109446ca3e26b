extension Double {
  /// Seconds to three decimals: `1.002`. At most some billions of them.
  var inMilliseconds: String {
    let milliseconds = Int((min(self, 1e12) * 1000).rounded())
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
