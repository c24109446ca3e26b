import SkyNetCluster
import SkyNetCore

/// A sector's line of JSON; or if it is plain, the result alone.
struct ResultLine {
  /// What the run's parts are called.
  let words: RunWords
  var isPlain = false

  /// `{"sector":17,"result":"17","system":"b","attempts":1,"seconds":1.002}`
  func text(_ result: SectorResult) -> String {
    if isPlain { return result.result as? String ?? json(result.result) + "\n" }
    return
      #"{"sector":\#(result.sector),\#(part(result.part))"result":\#(json(result.result)),"system":\#(json(result.system)),"#
      + #""attempts":\#(result.attempts),"seconds":\#(result.seconds.inMilliseconds)}"# + "\n"
  }

  /// `{"sector":17,"error":[{"system":"b","reason":"…"}],"attempts":5,"seconds":0.000}`
  func text(_ failure: SectorFailure) -> String {
    // It is told on standard error.
    if isPlain { return "" }
    let reasons = failure.failures.map {
      #"{"system":\#(json($0.system)),"reason":\#(json($0.reason))}"#
    }
    return
      #"{"sector":\#(failure.sector),\#(part(failure.part))"error":[\#(reasons.joined(separator: ","))],"#
      + #""attempts":\#(failure.attempts),"seconds":\#(failure.seconds.inMilliseconds)}"# + "\n"
  }

  /// In a run of several parts, the part that the sector belongs to.
  private func part(_ name: String?) -> String {
    name.map { #""\#(words.part.one)":\#(json($0)),"# } ?? ""
  }

  private func json(_ value: any Encodable) -> String {
    // The result came from a system as JSON, or was JSON that could be sent to one, so it can be
    // encoded again.
    (try? LineJSON.text(value)) ?? "null"
  }
}
