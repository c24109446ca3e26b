import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster

@Suite("The context of a span in a task's JSON")
struct TraceCarrierTests {
  private let coder = BodyCoder(registry: ScanRegistry([TracedScan()]))

  private let plain = ScanTask(
    TaskID(sector: 3), of: RunID(number: 1), for: TracedScan.self, settings: "few", sector: 1)

  private func task(_ trace: [String: String]) -> ScanTask {
    var task = plain
    var carrier = TraceCarrier()
    for (key, value) in trace { carrier.inject(value, forKey: key, into: &carrier) }
    task.trace = carrier
    return task
  }

  private func decoded(_ text: String) throws -> ScanTask {
    try coder.decode(ScanTask.self, from: Message(.call, body: Data(text.utf8)))
  }

  @Test(
    "It comes back as it went",
    arguments: [
      ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
      ["traceparent": "00-1", "tracestate": "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"],
      ["a\"b": "c\\d\n", "ü": "é"],
    ])
  func comesBack(trace: [String: String]) throws {
    let body = try coder.encode(task(trace), as: .call).body
    #expect(try decoded(String(decoding: body, as: UTF8.self)).trace?.values == trace)
  }

  @Test("A task without one has no member for it")
  func absent() throws {
    #expect(
      !String(decoding: try coder.encode(plain, as: .call).body, as: UTF8.self).contains("trace"))
  }

  @Test(
    "One that is too large or no object of texts is left out, and the task stays",
    arguments: [
      #"{"a":1}"#, "7", "[]", "null", "{}", #"{"a":"\#(String(repeating: "x", count: 5000))"}"#,
      "{" + (0..<17).map { "\"k\($0)\":\"v\"" }.joined(separator: ",") + "}",
    ])
  func unfit(trace: String) throws {
    let task = try decoded(
      #"{"pass":0,"number":3,"run":"0000000000000001","kind":"spanned/1","attempt":1,"#
        + #""trace":\#(trace),"settings":"few","sector":1}"#)
    #expect(task.trace == nil)
    #expect(task.id == TaskID(sector: 3))
  }

  @Test("Two calls that differ in nothing else ask for the same scan")
  func sameScan() throws {
    let (one, other) = (
      try coder.encode(task(["t": "1"]), as: .call).body,
      try coder.encode(task(["t": "2"]), as: .call).body
    )
    #expect(one != other)
    #expect(ScanTask.describesSameScan(one, other))
  }
}

private struct TracedScan: Scan {
  static let kind = ScanKind(name: "spanned", version: 1)

  func run(_ sector: Int, settings: String) async throws -> Int { sector }
}
