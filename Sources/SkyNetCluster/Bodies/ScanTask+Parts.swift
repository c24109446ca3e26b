// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

import SkyNetCore

import struct Foundation.Data

extension ScanTask {
  /// Writes the same JSON as `encode(to:)`. Returns `false` if `encode(to:)` has to write it.
  func write(to parts: inout PartEncoder) -> Bool {
    guard let work = try? work else { return false }
    parts.json.add(syntax: #"{"pass":"#)
    parts.json.add(number: id.pass)
    parts.json.add(syntax: #","number":"#)
    parts.json.add(number: id.sector)
    if let run {
      parts.json.add(syntax: ",\"run\":\"")
      parts.json.add(hexadecimal: run.number)
      parts.json.add(syntax: "\"")
    }
    parts.json.add(syntax: #","kind":"#)
    guard parts.json.add(text: kind.description) else { return false }
    if let number = attempt.number {
      parts.json.add(syntax: #","attempt":"#)
      parts.json.add(number: number)
    }
    if isHedge { parts.json.add(syntax: #","hedge":true"#) }
    if isTimed { parts.json.add(syntax: #","timed":true"#) }
    if let trace {
      parts.json.add(syntax: #","trace":"#)
      guard trace.write(to: &parts.json) else { return false }
    }
    parts.json.add(syntax: #","settings":"#)
    guard work.writeSettings(to: &parts) else { return false }
    parts.json.add(syntax: #","sector":"#)
    guard work.writeSector(to: &parts) else { return false }
    parts.json.add(syntax: "}")
    return true
  }

  /// Reads this JSON; `nil` if `init(from:)` has to read it, which also reports errors.
  init?(_ text: JSONText, of parts: PartDecoder) {
    var pass: Int?
    var number: Int?
    var attempt: Int?
    var isHedge: Bool?
    var isTimed: Bool?
    var run: RunID?
    var trace: TraceCarrier?
    var kind: JSONText?
    var settings: JSONText?
    var sector: JSONText?
    let isTaken = text.forEachMember { key, value in
      // Each member is taken at most once. If a key comes twice, a decoder has to say which value counts.
      if key.is("pass"), pass == nil {
        pass = value.wholeNumber
        return pass != nil
      }
      if key.is("number"), number == nil {
        number = value.wholeNumber
        return number != nil
      }
      if key.is("attempt"), attempt == nil {
        attempt = value.wholeNumber
        return attempt.map { $0 > 0 } ?? false
      }
      if key.is("run"), run == nil {
        run = value.hexadecimal.map(RunID.init(number:))
        return run != nil
      }
      if key.is("kind"), kind == nil {
        kind = value
      } else if key.is("settings"), settings == nil {
        settings = value
      } else if key.is("sector"), sector == nil {
        sector = value
      } else if key.is("hedge"), isHedge == nil, value.is("true") {
        isHedge = true
      } else if key.is("timed"), isTimed == nil, value.is("true") {
        isTimed = true
      } else if key.is("trace"), trace == nil {
        trace = TraceCarrier(value)
        return trace?.isFit ?? false
      } else {
        return false
      }
      return true
    }
    guard isTaken, let pass, let number, let kind, let settings, let sector,
      let scan = parts.scan(of: kind),
      let work = Self.work(of: scan, settings, sector, parts)
    else { return nil }
    self.init(
      id: TaskID(pass: pass, sector: number), of: run, kind: type(of: scan).kind,
      attempt: ScanAttempt(number: attempt, isHedge: isHedge ?? false), isTimed: isTimed ?? false,
      work: work)
    self.trace = trace
  }

  /// Whether the bodies of two calls ask for the same scan of the same sector. Their members have to be the
  /// same text, except the number of the attempt, whether it is a hedge, and the span that it belongs to.
  static func describesSameScan(_ one: Data, _ other: Data) -> Bool {
    guard let members = scanMembers(of: one), let others = scanMembers(of: other) else {
      return one == other
    }
    return members == others
  }

  private static func scanMembers(of body: Data) -> [[UInt8]: [UInt8]]? {
    var members: [[UInt8]: [UInt8]] = [:]
    let isTaken = body.withJSONText { text in
      text.forEachMember { key, value in
        guard !key.is("hedge"), !key.is("attempt"), !key.is("trace") else { return true }
        members[Array(key)] = Array(value)
        return true
      }
    }
    return isTaken ? members : nil
  }

  private static func work(
    of scan: some Scan, _ settings: JSONText, _ sector: JSONText, _ parts: PartDecoder
  ) -> (any TaskWork)? {
    let coder = parts.coder
    return coder.settings.settings(settings, for: scan, coder)?.work(sector: sector, of: parts)
  }
}
