import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster

@Suite("The coding of bodies")
struct BodyCoderTests {
  private let coder = BodyCoder(registry: ScanRegistry([SumScan(), PlainScan()]))

  private func task(_ text: String) throws -> ScanTask {
    try coder.decode(ScanTask.self, from: Message(.call, body: Data(text.utf8)))
  }

  private func result(_ text: String) throws -> ScanResult {
    try coder.decode(ScanResult.self, from: Message(.reply, body: Data(text.utf8)))
  }

  private func plainTask(
    settings: String = "few", sector: Int = 12, attempt: ScanAttempt = ScanAttempt()
  ) -> ScanTask {
    ScanTask(
      TaskID(pass: 1, sector: 5), of: RunID(number: 0xAB), for: PlainScan.self, settings: settings,
      sector: sector, attempt: attempt)
  }

  @Test("A task's JSON has the documented form")
  func taskText() throws {
    let text =
      #"{"pass":1,"number":5,"run":"00000000000000ab","kind":"plain/1","attempt":2,"hedge":true,"#
      + #""settings":"few","sector":12}"#
    let task = plainTask(attempt: ScanAttempt(number: 2, isHedge: true))
    #expect(String(decoding: try coder.encode(task, as: .call).body, as: UTF8.self) == text)
    let again = try self.task(text)
    #expect((again.id, again.run) == (task.id, task.run))
    #expect((again.kind, again.attempt) == (task.kind, task.attempt))
  }

  @Test("A task's JSON says whether the task is timed", arguments: [true, false])
  func timed(isTimed: Bool) throws {
    let task = ScanTask(
      id: TaskID(sector: 5), run: RunID(number: 0xAB), kind: PlainScan.kind,
      attempt: ScanAttempt(), isTimed: isTimed,
      work: WorkOf<PlainScan>(settings: "few", sector: 12))
    let written = isTimed ? #""timed":true,"# : ""
    let text =
      #"{"pass":0,"number":5,"run":"00000000000000ab","kind":"plain/1","attempt":1,\#(written)"#
      + #""settings":"few","sector":12}"#
    #expect(String(decoding: try coder.encode(task, as: .call).body, as: UTF8.self) == text)
    #expect(try self.task(text).isTimed == isTimed)
  }

  @Test(
    "Settings and sectors come back as they went",
    arguments: ["few", "a \"quote\"", "Zürich", "a\\b\n", ""])
  func roundTrip(settings: String) throws {
    for sector in [0, -1, .min, .max] {
      let body = try coder.encode(plainTask(settings: settings, sector: sector), as: .call).body
      let decoded = try coder.decode(ScanTask.self, from: Message(.call, body: body))
      let work = try #require(decoded.work as? WorkOf<PlainScan>)
      #expect(work.settings == settings)
      #expect(work.sector == sector)
    }
  }

  @Test("A value that encodes nothing is an empty object")
  func emptyValues() throws {
    let coder = BodyCoder(registry: ScanRegistry([EmptyScan()]))
    let task = ScanTask(
      TaskID(sector: 0), of: RunID(), for: EmptyScan.self, settings: NoSettings(), sector: Nothing()
    )
    let body = try coder.encode(task, as: .call).body
    #expect(String(decoding: body, as: UTF8.self).hasSuffix(#""settings":{},"sector":{}}"#))
    _ = try coder.decode(ScanTask.self, from: Message(.call, body: body))
  }

  /// The members of a task beside those of a case.
  private static let members = #""pass":1,"number":5,"run":"00000000000000AB","attempt":3"#

  @Test(
    "A task in another form of JSON is read too",
    arguments: [
      #"{\#(members),"kind":"plain\/1","settings":"few","sector":12}"#,
      #"{\#(members),"kind":"pl\u0061in/1","settings":"f\u0065w","sector":1.2e1}"#,
      #"{"sector":12,"settings":"few","kind":"plain/1",\#(members),"hedge":false,"timed":false}"#,
      #"{\#(members),"kind":"plain/1","settings":"few","sector":12,"later":[1,{"pass":2}]}"#,
      #"{\#(members),"kind":"plain/1","trace":null,"settings":"few","sector":12,"{":"}","":[]}"#,
      " {\t\(members.replacing(":", with: " : ")) ,\r\n"
        + #""kind": "plain/1", "settings" : "few" , "sector": 12 } "#,
    ])
  func written(_ text: String) throws {
    let task = try task(text)
    let work = try #require(task.work as? WorkOf<PlainScan>)
    #expect(task.id == TaskID(pass: 1, sector: 5) && task.run == RunID(number: 0xAB))
    #expect(task.attempt == ScanAttempt(number: 3) && !task.isTimed)
    #expect(work.settings == "few")
    #expect(work.sector == 12)
  }

  private static let good = #"{\#(members),"kind":"plain/1","settings":"few","sector":12}"#

  @Test(
    "A text that is not a task cannot be read",
    arguments: [
      "", "{", "{}", "[]", #"{"pass":0"#, #"{"pass""#, #"{"pass":"#, #"{"pass"}"#,
      "\u{FEFF}" + good,
      good + "}", good + "0", good.replacing("}", with: ",}"), good.replacing("}", with: ""),
      good.replacing("{", with: "{,"), good.replacing("{", with: "["),
      good.replacing(#","sector":12"#, with: ""), good.replacing("12", with: #""12""#),
      good.replacing("12", with: ""), good.replacing("12", with: "012"),
      good.replacing("plain/1", with: "plain/2"), good.replacing(#""plain/1""#, with: "1"),
      good.replacing(#""pass":1"#, with: #""pass":-1"#),
      good.replacing(#""pass":1"#, with: #""p\u0061ss":1"#),
      good.replacing(#""pass":1"#, with: #""pass":1,"pass":1"#),
      good.replacing(#""number":5"#, with: #""number":05"#),
      good.replacing(#""number":5"#, with: #""number":5 5"#),
      good.replacing(#""number":5"#, with: #""number":-5"#),
      good.replacing(#""number":5"#, with: #""number":9223372036854775808"#),
      good.replacing(#""attempt":3"#, with: #""attempt":0"#),
      good.replacing(#""attempt":3"#, with: #""attempt":-1"#),
      good.replacing(#""attempt":3"#, with: #""attempt":"1""#),
      good.replacing(#""attempt":3"#, with: #""attempt":null"#),
      good.replacing(#""attempt":3"#, with: #""attempt":3,"hedge":1"#),
      good.replacing(#""attempt":3"#, with: #""attempt":3,"timed":null"#),
      good.replacing(#""attempt":3"#, with: #""attempt":3,"later":[}"#),
      good.replacing(#""attempt":3"#, with: #""attempt":3,"h\u0065dge":true"#),
      good.replacing(#","attempt":3"#, with: ""), good.replacing("AB", with: "A"),
      good.replacing("few\"", with: "few\\"), good.replacing("few", with: "f\tew"),
    ])
  func noTask(_ text: String) {
    #expect(throws: Never.self) { try task(Self.good) }
    #expect(throws: (any Error).self) { try task(text) }
  }

  @Test("Settings with bulk bytes are decoded for each task")
  func settingsWithBulk() throws {
    for bytes in [Data([1, 2]), Data([3, 4])] {
      let task = ScanTask(
        TaskID(sector: 0), of: RunID(), for: BulkyScan.self, settings: BulkBytes(bytes), sector: 0)
      let coder = BodyCoder(registry: ScanRegistry([BulkyScan()]))
      let message = try coder.encode(task, as: .call)
      let again = try coder.decode(ScanTask.self, from: message)
      let work = try again.work as? WorkOf<BulkyScan>
      #expect(work?.settings.bytes == bytes)
    }
  }

  @Test(
    "A time is the same after a round trip",
    arguments: [0, -0.0, 1e-9, 0.1, 0.123456789, 1.0 / 3, 999_999.999999999, 1e6, 1e9, 1e-300])
  func seconds(_ seconds: Double) throws {
    let sent = ScanResult(
      kind: PlainScan.kind, output: "12", seconds: seconds, queuedSeconds: 0, isShared: true)
    let body = try coder.encode(sent, as: .call).body
    let received = try coder.decode(ScanResult.self, from: Message(.reply, body: body))
    #expect(received.seconds == seconds && received.seconds.sign == seconds.sign)
    #expect(received.isShared)
    #expect(received.output as? String == "12")
  }

  @Test("The error for a result of an unknown kind names the kind")
  func unknownKind() {
    #expect {
      try result(#"{"kind":"other/1","output":"12","seconds":0,"queued":0}"#)
    } throws: {
      "\($0)".contains("other/1")
    }
  }
}

/// A scan whose settings, sectors and outputs are plain strings and numbers.
private struct PlainScan: Scan {
  static let kind = ScanKind(name: "plain", version: 1)

  func run(_ sector: Int, settings: String) async throws -> String { settings }
}

private struct BulkyScan: Scan {
  static let kind = ScanKind(name: "bulky", version: 1)

  func run(_ sector: Int, settings: BulkBytes) async throws -> Int { settings.bytes.count }
}

/// A scan whose sectors encode nothing, not even an empty object.
private struct EmptyScan: Scan {
  static let kind = ScanKind(name: "empty", version: 1)

  func run(_ sector: Nothing, settings: NoSettings) async throws -> Int { 0 }
}

private struct Nothing: Codable {
  init() {}
  init(from decoder: any Decoder) {}
  func encode(to encoder: any Encoder) {}
}
