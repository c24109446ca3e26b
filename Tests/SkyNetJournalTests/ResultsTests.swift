import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetJournal

/// Multiplies a number, and adds the bytes.
private struct Product: Scan {
  static let kind = ScanKind(name: "product", version: 1)

  struct Sector: Codable, Sendable {
    var number: Int
    var bytes = BulkBytes(Data())
    var words: [String: Int] = [:]
  }

  struct Unlucky: Error {}

  let scanned = Watched<[Int]>([])
  var gate: Gate?
  var unlucky: Int?

  func run(_ sector: Sector, settings factor: Int) async throws -> Int {
    try await gate?.pass()
    scanned.update { $0.append(sector.number) }
    if sector.number == unlucky { throw Unlucky() }
    return sector.number * factor + sector.bytes.bytes.reduce(0) { $0 + Int($1) }
  }
}

@Suite("Results with a journal", .timeLimit(.minutes(20)))
struct JournaledResultsTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func withCluster(
    _ scans: [any Scan] = [Product()], _ body: @Sendable (Cluster) async throws -> Void
  ) async throws {
    try await Cluster.with(
      ClusterSettings(name: "test", localSlots: 2), scans: scans, discoveries: [],
      transport: InMemoryNetwork().transport(host: "test"), body)
  }

  private static func sectors(_ numbers: some Sequence<Int>) -> [Product.Sector] {
    numbers.map { Product.Sector(number: $0) }
  }

  private static func outputs(_ results: SectorResults<Int>) async throws -> [Int: Int] {
    var outputs: [Int: Int] = [:]
    for try await (number, output) in results.outputs { outputs[number] = output }
    return outputs
  }

  /// Expects that these results are refused as another job's, and that the file stays as it is.
  private func expectRefusal(
    of results: SectorResults<Int>, for fact: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try folder.contents()
    let error = await #expect(throws: JournalError.self, sourceLocation: sourceLocation) {
      _ = try await Self.outputs(results)
    }
    #expect(error?.code == .otherJob, sourceLocation: sourceLocation)
    #expect(
      error?.description.contains("\(fact): ") == true, "\(error as Any)",
      sourceLocation: sourceLocation)
    #expect(try folder.contents() == before, sourceLocation: sourceLocation)
  }

  @Test("The same sectors have their outputs from the journal, and others are refused")
  func inputs() async throws {
    try await withCluster { cluster in
      let scan = Product()
      func results(_ numbers: [Int]) -> SectorResults<Int> {
        cluster.results(
          of: scan, for: Self.sectors(numbers), settings: 2, journal: folder.file())
      }
      #expect(try await Self.outputs(results([1, 2, 3])) == [0: 2, 1: 4, 2: 6])
      #expect(try await Self.outputs(results([1, 2, 3])) == [0: 2, 1: 4, 2: 6])
      #expect(scan.scanned.value.sorted() == [1, 2, 3])
      try await expectRefusal(of: results([10, 20, 30]), for: "inputs")
      try await expectRefusal(of: results([1, 3, 2]), for: "inputs")
      try await expectRefusal(of: results([1, 2]), for: "sectors")
      #expect(scan.scanned.value.count == 3)
      let other = cluster.results(
        of: scan, for: Self.sectors([1, 2, 3]), settings: 3, journal: folder.file())
      try await expectRefusal(of: other, for: "settings")
    }
  }

  @Test("Bulk bytes are a part of the inputs")
  func bulk() async throws {
    try await withCluster { cluster in
      func results(_ bytes: [UInt8]) -> SectorResults<Int> {
        let sector = Product.Sector(number: 1, bytes: BulkBytes(Data(bytes)))
        return cluster.results(of: Product(), for: [sector], settings: 1, journal: folder.file())
      }
      #expect(try await Self.outputs(results([1, 2, 3])) == [0: 7])
      try await expectRefusal(of: results([1, 2, 4]), for: "inputs")
    }
  }

  @Test("The digest is a SHA-256 of the inputs' JSON, whose keys are in order")
  func digest() throws {
    // printf '[1]\n' | sha256sum
    #expect(try InputsDigest.text(of: [1]) == Self.digestOfOne)
    let words = Dictionary(uniqueKeysWithValues: (0..<50).map { ("word \($0)", $0) })
    let one = Product.Sector(number: 1, words: words)
    var other = Product.Sector(number: 1)
    for number in (0..<50).reversed() { other.words["word \(number)"] = number }
    #expect(try InputsDigest.text(of: [one]) == InputsDigest.text(of: [other]))
    #expect(try InputsDigest.text(of: [12]) != InputsDigest.text(of: [1, 2]))
    #expect(try InputsDigest.text(of: [[1], [2]]) != InputsDigest.text(of: [[1, 2]]))
  }

  private static let digestOfOne =
    "acc07b62f23f458923737c4cd4a66bd05d1e71eb4f384003baaf2dcc760d6349"

  @Test("Sectors that are made on demand are known by what the caller says of them")
  func count() async throws {
    try await withCluster { cluster in
      let scan = Product()
      func results(_ inputs: String) -> SectorResults<Int> {
        cluster.results(
          of: scan, count: 3, settings: 2, journal: folder.file(), inputs: inputs
        ) { Product.Sector(number: $0) }
      }
      #expect(try await Self.outputs(results("sky.fits of Monday")) == [0: 0, 1: 2, 2: 4])
      #expect(try await Self.outputs(results("sky.fits of Monday")) == [0: 0, 1: 2, 2: 4])
      try await expectRefusal(of: results("sky.fits of Tuesday"), for: "inputs")
      #expect(scan.scanned.value.count == 3)
    }
  }

  @Test("A loop that was left goes on in the next one, which waits for the journal")
  func leaving() async throws {
    try await withCluster { cluster in
      let scan = Product()
      let results = cluster.results(
        of: scan, for: Self.sectors(0..<40), settings: 1, journal: folder.file())
      // Another way to write the same path.
      let same = cluster.results(
        of: scan, for: Self.sectors(0..<40), settings: 1,
        journal: folder.path + "/./run.sqlite")
      var last: [Int] = []
      for loop in 1...5 {
        var found: [Int] = []
        for try await sector in loop.isMultiple(of: 2) ? same : results {
          found.append(sector.number)
          if found.count == 5 * loop { break }
        }
        #expect(Set(found).isSuperset(of: last), "what the journal has comes first")
        last = found
      }
      #expect(try await Self.outputs(results).count == 40)
      #expect(scan.scanned.value.count < 80)
    }
  }

  @Test("Two loops at a time cannot use one journal")
  func twoLoops() async throws {
    try await withCluster { cluster in
      let results = cluster.results(
        of: Product(), for: Self.sectors(0..<9), settings: 1, journal: folder.file())
      for try await _ in results {
        let error = await #expect(throws: JournalError.self) {
          _ = try await Self.outputs(results)
        }
        #expect(error?.code == .inUse)
        break
      }
    }
  }

  @Test("The journal is closed when the loop is cancelled, and when its engagement fails")
  func endings() async throws {
    let gate = Gate()
    gate.letThrough(3)
    try await withCluster { cluster in
      let taken = Watched(0)
      let loop = Task {
        let results = cluster.results(
          of: Product(gate: gate), for: Self.sectors(0..<9), settings: 1, journal: folder.file())
        for try await _ in results { taken.update { $0 += 1 } }
      }
      try await taken.wait { $0 == 3 }
      loop.cancel()
      await #expect(throws: CancellationError.self) { try await loop.value }
      let scan = Product()
      let results = cluster.results(
        of: scan, for: Self.sectors(0..<9), settings: 1, journal: folder.file())
      #expect(try await Self.outputs(results).count == 9)
      #expect(scan.scanned.value.count == 6)
    }
    // No process has it open, and its log is in the file.
    #expect(try folder.contents().keys.sorted() == ["run.sqlite"])
  }

  @Test("Sectors that failed stay failed, unless they are to be tried again")
  func failures() async throws {
    try await withCluster { cluster in
      for (scan, retryFailed, expected) in [
        (Product(unlucky: 2), false, [2]), (Product(), false, [2]), (Product(), true, []),
      ] {
        var failed: [Int] = []
        let results = cluster.results(
          of: scan, for: Self.sectors(0..<4), settings: 1,
          engagement: EngagementSettings(attempts: 1), journal: folder.file(),
          retryFailed: retryFailed)
        for try await sector in results {
          if case .failure = sector.output { failed.append(sector.number) }
        }
        #expect(failed == expected)
      }
    }
  }

  @Test("No file is made for a scan that the cluster was joined without")
  func unknownScan() async throws {
    try await withCluster([]) { cluster in
      let results = cluster.results(
        of: Product(), for: Self.sectors(0..<4), settings: 1, journal: folder.file())
      await #expect(throws: EngagementError.unknownScan(Product.kind, joinedWith: [])) {
        _ = try await Self.outputs(results)
      }
    }
    #expect(try folder.contents().isEmpty)
  }
}
