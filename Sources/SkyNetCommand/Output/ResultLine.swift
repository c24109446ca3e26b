import SkyNetCluster
import SkyNetCore

/// A sector's line of JSON; or if it is plain, the result alone.
struct ResultLine {
  /// What the run's parts are called.
  let words: RunWords
  var isPlain = false

  /// `{"sector":17,"result":"17","system":"b","attempts":1,"seconds":1.002}`
  func bytes(_ result: SectorResult) -> [UInt8] {
    var line = PlainJSON()
    if isPlain, let text = result.result as? String {
      line.add(json: text.utf8)
      return line.bytes
    }
    if isPlain {
      add(result.result, to: &line)
    } else {
      line.add(syntax: "{")
      line.add(key: "sector", result.sector, isFirst: true)
      add(part: result.part, to: &line)
      add("result", result.result, to: &line)
      add("system", result.system, to: &line)
      end(&line, result.attempts, result.seconds)
    }
    line.add(syntax: "\n")
    return line.bytes
  }

  /// `{"sector":17,"error":[{"system":"b","reason":"…"}],"attempts":5,"seconds":0.000}`
  func bytes(_ failure: SectorFailure) -> [UInt8] {
    // It is told on standard error.
    if isPlain { return [] }
    var line = PlainJSON()
    line.add(syntax: "{")
    line.add(key: "sector", failure.sector, isFirst: true)
    add(part: failure.part, to: &line)
    line.add(key: "error")
    line.add(failure.failures) { line, attempt in
      line.add(syntax: "{")
      add("system", attempt.system, isFirst: true, to: &line)
      add("reason", attempt.reason, to: &line)
      line.add(syntax: "}")
    }
    end(&line, failure.attempts, failure.seconds)
    line.add(syntax: "\n")
    return line.bytes
  }

  private func end(_ line: inout PlainJSON, _ attempts: Int, _ seconds: Double) {
    line.add(key: "attempts", attempts)
    line.add(key: "seconds")
    line.add(millisecondsOf: seconds)
    line.add(syntax: "}")
  }

  /// In a run of several parts, the part that the sector belongs to.
  private func add(part: String?, to line: inout PlainJSON) {
    guard let part else { return }
    line.add(word: words.part.one)
    add(part, to: &line)
  }

  private func add(
    _ key: StaticString, _ value: any Encodable, isFirst: Bool = false, to line: inout PlainJSON
  ) {
    line.add(key: key, isFirst: isFirst)
    add(value, to: &line)
  }

  private func add(
    _ key: StaticString, _ text: String, isFirst: Bool = false, to line: inout PlainJSON
  ) {
    line.add(key: key, isFirst: isFirst)
    if !line.add(text: text) { add(text, to: &line) }
  }

  private func add(_ value: any Encodable, to line: inout PlainJSON) {
    // The result came from a system as JSON, or was JSON that could be sent to one, so it can be
    // encoded again.
    do { try LineJSON.add(value, to: &line) } catch { line.add(syntax: "null") }
  }
}
