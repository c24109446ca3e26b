import Foundation
import SkyNetCore
import TestSupport
import Testing

@testable import SkyNetCluster

@Suite("The coding of bodies", .inTurn)
struct BodyCoderTests {
  private let coder = BodyCoder(registry: ScanRegistry([SumScan(), PlainScan()]))

  private func task(_ text: String) throws -> ScanTask {
    try coder.decode(ScanTask.self, from: Message(.call, body: Data(text.utf8)))
  }

  private func result(_ text: String) throws -> ScanResult {
    try coder.decode(ScanResult.self, from: Message(.reply, body: Data(text.utf8)))
  }

  @Test("A task's JSON has the documented form")
  func taskText() throws {
    let task = ScanTask(
      TaskID(pass: 1, sector: -7), for: PlainScan.self, settings: "few", sector: 12,
      attempt: ScanAttempt(number: 2, isHedge: true))
    let text =
      #"{"pass":1,"number":-7,"kind":"plain/1","attempt":2,"hedge":true,"#
      + #""settings":"few","sector":12}"#
    #expect(String(decoding: try coder.encode(task).body, as: UTF8.self) == text)
  }

  @Test("A task's JSON keeps its attempt, and may lack the number, as in earlier versions")
  func attempts() throws {
    for attempt in [ScanAttempt(), ScanAttempt(number: 7, isHedge: true), ScanAttempt(number: nil)]
    {
      let task = ScanTask(
        TaskID(sector: 3), for: PlainScan.self, settings: "few", sector: 1, attempt: attempt)
      for (body, _) in [try coder.encode(task), try coder.encodeWhole(task)] {
        let message = Message(.call, body: body)
        #expect(try coder.decode(ScanTask.self, from: message).attempt == attempt)
        #expect(try coder.decodeWhole(ScanTask.self, from: message).attempt == attempt)
      }
    }
  }

  @Test("A task's JSON says whether the task is timed", arguments: [true, false])
  func timed(isTimed: Bool) throws {
    let task = ScanTask(
      id: TaskID(sector: 5), kind: PlainScan.kind, attempt: ScanAttempt(number: nil),
      isTimed: isTimed,
      work: WorkOf<PlainScan>(settings: "few", settingsJSON: nil, sector: 12))
    let written = isTimed ? #""timed":true,"# : ""
    let text =
      #"{"pass":0,"number":5,"kind":"plain/1",\#(written)"settings":"few","sector":12}"#
    #expect(String(decoding: try coder.encode(task).body, as: UTF8.self) == text)
    for (body, _) in [try coder.encode(task), try coder.encodeWhole(task)] {
      let message = Message(.call, body: body)
      #expect(try coder.decode(ScanTask.self, from: message).isTimed == isTimed)
      #expect(try coder.decodeWhole(ScanTask.self, from: message).isTimed == isTimed)
    }
  }

  @Test(
    "A body in parts and a body as a whole are equal",
    arguments: ["few", "a \"quote\"", "Zürich", "a\\b\n", ""])
  func partsAndWhole(settings: String) throws {
    let task = ScanTask(
      TaskID(sector: 3), for: PlainScan.self, settings: settings, sector: .min)
    for (body, _) in [try coder.encode(task), try coder.encodeWhole(task)] {
      for decoded in [
        try coder.decode(ScanTask.self, from: Message(.call, body: body)),
        try coder.decodeWhole(ScanTask.self, from: Message(.call, body: body)),
      ] {
        let work = try #require(try decoded.work as? WorkOf<PlainScan>)
        #expect(work.settings == settings)
        #expect(work.sector == .min)
        #expect(decoded.id == task.id)
      }
    }
  }

  @Test(
    "A task in another form of JSON is decoded too",
    arguments: [
      #"{"pass":0,"number":5,"kind":"plain\/1","settings":"few","sector":12}"#,
      #"{ "pass" : 0, "number" : 5, "kind" : "plain/1", "settings" : "few", "sector" : 12 }"#,
      #"{"sector":12,"settings":"few","kind":"plain/1","number":5,"pass":0,"hedge":false}"#,
      #"{"pass":0,"number":5,"kind":"plain/1","settings":"f\u0065w","sector":12,"later":[1,{}]}"#,
      #"{"pass":0,"number":5,"kind":"plain/1","attempt":3.0,"settings":"few","sector":12}"#,
      #"{"pass":0,"number":5,"kind":"plain/1","attempt":null,"settings":"few","sector":12}"#,
      #"{"pass":0,"number":5.0,"kind":"plain/1","settings":"few","sector":1.2e1}"#,
    ])
  func written(_ text: String) throws {
    let task = try task(text)
    let work = try #require(try task.work as? WorkOf<PlainScan>)
    #expect(task.id == TaskID(sector: 5))
    #expect((work.settings, work.sector) == ("few", 12))
  }

  @Test(
    "A text that is not a task cannot be decoded",
    arguments: [
      "", "{", "{}", "[]", #"{"pass":0"#,
      #"{"pass":0,"number":5,"kind":"plain/1","settings":"few"}"#,
      #"{"pass":0,"number":5,"kind":"plain/1","settings":"few","sector":12}}"#,
      #"{"pass":0,"number":05,"kind":"plain/1","settings":"few","sector":12}"#,
      #"{"pass":0,"number":5,"kind":"plain/1","settings":"few","sector":"12"}"#,
      #"{"pass":0,"number":5,"kind":"plain/2","settings":"few","sector":12}"#,
      #"{"pass":0,"number":5,"kind":"plain/1","attempt":0,"settings":"few","sector":12}"#,
      #"{"pass":0,"number":5,"kind":"plain/1","attempt":-1,"settings":"few","sector":12}"#,
      #"{"pass":0,"number":5,"kind":"plain/1","attempt":"1","settings":"few","sector":12}"#,
      #"{"pass":0,"number":5,"kind":"plain/1","settings":"few\"#,
    ])
  func noTask(_ text: String) {
    #expect(throws: (any Error).self) { try task(text) }
  }

  @Test("Settings with bulk bytes are decoded for each task")
  func settingsWithBulk() throws {
    for bytes in [Data([1, 2]), Data([3, 4])] {
      let task = ScanTask(
        TaskID(sector: 0), for: BulkyScan.self, settings: BulkBytes(bytes), sector: 0)
      let coder = BodyCoder(registry: ScanRegistry([BulkyScan()]))
      let (body, bulk) = try coder.encode(task)
      let again = try coder.decode(
        ScanTask.self, from: Message(.call, body: body, bulk: bulk))
      #expect(try (again.work as? WorkOf<BulkyScan>)?.settings.bytes == bytes)
    }
  }

  @Test(
    "A time is the same after a round trip",
    arguments: [0, -0.0, 1e-9, 0.1, 0.123456789, 1.0 / 3, 999_999.999999999, 1e6, 1e9, 1e-300])
  func seconds(_ seconds: Double) throws {
    let sent = ScanResult(
      kind: PlainScan.kind, output: "12", seconds: seconds, queuedSeconds: 0, isShared: true)
    let (body, _) = try coder.encode(sent)
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
