extension Double {
  /// This number of seconds with three decimals: `1.002`. Values above 10^12 are cut to that.
  var inMilliseconds: String {
    let milliseconds = Int((min(self, 1e12) * 1000).rounded())
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
