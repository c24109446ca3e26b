import SkyNetCluster

extension Double {
  /// This number of seconds with three decimals: `1.002`. Values above 10^12 are cut to that.
  var inMilliseconds: String {
    var text = PlainJSON()
    text.add(millisecondsOf: self)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}
