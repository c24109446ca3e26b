import Foundation
import SkyCatalog
import SkyDetection
import SkyNetCluster
import SkyNetCore
import SkyScan
import SkySimulation

private let coder = BodyCoder(
  registry: ScanRegistry([SimulatedScan(), SourceScan(), FuzzedScan()]))

/// The message that an input encodes: its body up to the first zero byte, and its bulk bytes after
/// that.
private func message(_ kind: FrameKind, _ input: [UInt8]) -> Message {
  let end = input.firstIndex(of: 0) ?? input.endIndex
  return Message(kind, body: Data(input[..<end]), bulk: Data(input[end...].dropFirst()))
}

func checkTask(_ input: [UInt8]) throws {
  let message = message(.call, input)
  guard let task = try? coder.decode(ScanTask.self, from: message) else { return }
  try expectSame(task, sentAs: .call, "a task that is read again")
  // The coder reads the members by itself. What Foundation's reader refuses, such as a trace that is not JSON and is
  // left out, tells nothing of it.
  guard let head = try? JSONDecoder().decode(TaskHead.self, from: message.body) else { return }
  try expectEqual(
    [head.pass, head.number, head.attempt], [task.id.pass, task.id.sector, task.attempt.number],
    "the numbers of a task")
  try expectEqual(head.hedge ?? false, task.isHedge, "whether a task is a hedge")
  try expect(head.run == task.run && head.kind == task.kind, "a task's run and kind")
}

/// Members of a task, to be read by Foundation.
private struct TaskHead: Decodable {
  let pass: Int
  let number: Int
  let run: RunID
  let kind: ScanKind
  let attempt: Int
  let hedge: Bool?
}

/// Checks that a system's answer is the same after another round trip, and that its numbers are
/// usable.
func checkResult(_ input: [UInt8]) throws {
  let message = message(.reply, input)
  guard let result = try? coder.decode(ScanResult.self, from: message) else { return }
  try expectSame(result, sentAs: .reply, "a result that is read again")
  try checkMeasured(result.seconds)
  try checkMeasured(result.queuedSeconds)
  var prefetch = Prefetch()
  for _ in 0..<2 {
    prefetch.measured(
      AttemptTiming(scan: result.seconds, queued: result.queuedSeconds, turnaround: 1))
  }
  try expect(prefetch.depth(slots: 4) >= 0, "a prefetch is not negative")
  if case .sources(let list, _, _)? = (result.output as? SourceScan.Findings)?.found {
    var catalog = Catalog()
    catalog.add(list.sources)
    let table = catalog.table(
      [.number, .x, .isophotalFlux, .angle], settings: DetectionSettings())
    try expectEqual(
      table.csv.utf8.count { $0 == UInt8(ascii: "\n") }, list.sources.count + 1, "a row each")
  }
}

/// Checks that a system's status is the same after a round trip, and that its counts can be added.
func checkStatus(_ input: [UInt8]) throws {
  let message = message(.reply, input)
  guard let status = try? coder.decode(SystemStatus.self, from: message) else { return }
  try expectSame(status, sentAs: .reply, "a status that is read again")
  let counts = [status.running, status.waiting, status.done].flatMap(\.values) + [status.retried]
  try expect(counts.reduce(0, +) >= 0, "counts are not negative")
  try expect(status.clients.count <= status.running.count + status.waiting.count, "clients")
}

/// Checks that a value is the same after a round trip. Values are compared by their bodies.
private func expectSame<Value: MessageBody>(
  _ value: Value, sentAs kind: FrameKind, _ property: String
) throws {
  let message = try coder.encode(value, as: kind)
  let again = try coder.encode(try coder.decode(Value.self, from: message), as: kind)
  try expectEqual(
    [try ordered(again.body), again.bulk], [try ordered(message.body), message.bulk], property)
}

/// The same JSON, with its keys in order.
private func ordered(_ json: Data) throws -> Data {
  try JSONSerialization.data(
    withJSONObject: try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed),
    options: [.sortedKeys, .fragmentsAllowed])
}

/// A scan with values of all the shapes that a user's scan may have.
private struct FuzzedScan: Scan {
  static let kind = ScanKind(name: "fuzzed", version: 1)

  enum Filter: String, Codable { case red, green }
  enum Mode: Codable {
    case plain
    case stacked(count: UInt8, filters: [Filter])
  }
  struct Settings: Codable {
    let factor: Float?
    let mode: Mode
    let labels: [String: Int16]
  }
  struct Sector: Codable {
    let pixels: BulkBytes
    let masks: [BulkBytes]
    let place: [[Double]]
  }
  struct Output: Codable {
    let found: UInt64
    let when: Date?
    let cut: BulkBytes?
  }

  func run(_ sector: Sector, settings: Settings) async throws -> Output {
    Output(found: 0, when: nil, cut: nil)
  }
}
