import SkyNetCore
import SkyNetTestKit
import Synchronization

/// A growing job of probes. Each part has one pass or two, the second of which needs all outputs of the part's first,
/// as the parts of a night are images.
struct GrowingJob: JobWithOutcomes {
  typealias Work = ProbeScan
  static let part = RunWords.Noun("image", "images")

  /// A task's number, which its probe scans.
  static func number(_ task: TaskID) -> Int { task.sector + 1000 * task.pass }

  let settings = "probed"
  let sectorCount: Int
  var expectedParts: Int? { 9 }
  let parts: Parts
  let passes2: Bool
  /// What becomes of some of the parts, by number; the others begin with all of their sectors.
  let fates: [Int: AddedPart]
  /// Sectors that the job cannot make.
  let missing: Set<Int>
  private(set) var outputs: [TaskID: String] = [:]
  private(set) var givenUp: [TaskID] = []
  private var open: [JobPart] = []

  init(
    _ parts: Parts, sectors: Int = 0, twoPasses: Bool = false, fates: [Int: AddedPart] = [:],
    missing: Set<Int> = []
  ) {
    self.parts = parts
    sectorCount = sectors
    passes2 = twoPasses
    self.fates = fates
    self.missing = missing
  }

  private struct Missing: Error, CustomStringConvertible {
    let description = "the file is gone"
  }

  func sector(for task: TaskID) throws -> Int {
    guard !missing.contains(task.sector) else { throw Missing() }
    return Self.number(task)
  }

  mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    outputs[task] = output
    guard passes2, task.pass == 0,
      let part = open.first(where: { $0.sectors.contains(task.sector) })
    else { return ReceivedResult(result: output) }
    let isWhole = part.sectors.allSatisfy { outputs[TaskID(sector: $0)] != nil }
    return ReceivedResult(
      result: nil, added: isWhole ? [TaskRange(pass: 1, sectors: part.sectors)] : [])
  }

  mutating func gaveUp(_ task: TaskID, reason: String) { givenUp.append(task) }

  func nextPart() async throws -> JobPart? { try await parts.next() }

  mutating func add(_ part: JobPart) throws -> AddedPart {
    open.append(part)
    return fates[part.number] ?? .tasks([TaskRange(sectors: part.sectors)])
  }

  mutating func ended(_ part: JobPart) {
    open.removeAll { $0.number == part.number }
    parts.ended.update { $0.append(part.number) }
  }

  func result(ofSector sector: Int, in part: JobPart) -> (any Encodable & Sendable)? {
    part.outcome.map { "\($0) \(sector)" }
  }
}

/// Gives a growing job its parts, and hears which have ended.
final class Parts: Sendable {
  /// How often the job was asked for a part.
  let asked = Watched(0)
  /// The numbers of the parts that have ended, in that order.
  let ended = Watched<[Int]>([])
  private let make: @Sendable (_ number: Int) async throws -> JobPart?

  init(_ make: @escaping @Sendable (_ number: Int) async throws -> JobPart?) { self.make = make }

  /// Parts of these many sectors, one after the other, and none afterwards.
  convenience init(_ sizes: [Int]) {
    self.init { number in
      guard number < sizes.count else { return nil }
      let begin = sizes[..<number].reduce(0, +)
      return JobPart(
        number: number, sectors: begin..<begin + sizes[number], name: "image \(number)")
    }
  }

  func next() async throws -> JobPart? {
    try await make(
      asked.update {
        $0 += 1
        return $0 - 1
      })
  }
}
