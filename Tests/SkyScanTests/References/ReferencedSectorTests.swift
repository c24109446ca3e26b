import Foundation
import SkyNetCore
import SkyTestSupport
import Synchronization
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyFiles
@testable import SkyScan

/// A job whose image is in a folder of its own, and a node's access to such folders.
private struct Scene {
  let folder: TemporaryFolder
  let root: String
  let node: SectorRecipient

  init() throws {
    folder = try TemporaryFolder()
    root = try #require(FilePath.real(folder.path)).text
    for name in ["here", "there"] {
      try FileManager.default.createDirectory(
        atPath: root + "/" + name, withIntermediateDirectories: true)
    }
    node = SectorRecipient(
      incarnation: Incarnation(), name: "node", isLocal: false)
  }

  func path(_ name: String) -> String { root + "/" + name }

  /// Draws a sky, and waits until its change time tells of any later change.
  func drawSky(_ name: String = "here/sky.fits", seed: UInt64 = 1) async throws {
    try await SyntheticSky(width: 700, height: 300, starCount: 60, seed: seed)
      .write(to: path(name))
    try setTime(of: name, 1_700_000_000)
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path(name)))
    _ = try FileState.settled(file.fileDescriptor)
    try file.close()
  }

  func setTime(of name: String, _ seconds: Int) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: path(name))
  }

  func job(
    _ name: String = "here/sky.fits", mapping: Bool = false, weights: String? = nil,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> ImageJob {
    let image = try await FITSImage.open(path(name))
    let grid = try SectorGrid(width: image.width, height: image.height, side: 256)
    var job = try ImageJob(
      image: image, weights: try await weights.asyncMap { try await FITSImage.open(path($0)) },
      settings: SourceScan.Settings(grid: grid, coding: image.coding))
    let roots = mapping ? [FileReferences.Root(here: path("here"), there: path("there"))] : []
    job.references = FileReferences(
      roots: roots.compactMap { $0 }, proofs: AccountProofs(environment: [:]), tell: tell)
    return job
  }

  func access(_ names: String...) throws -> DataAccess {
    try DataAccess(names.map(path), ownFiles: [])
  }

  /// The sector as a message carries it.
  func travelled(_ sector: SourceScan.Sector) throws -> (SourceScan.Sector, bytes: Int) {
    let (encoder, writer) = (JSONEncoder(), BulkWriter())
    encoder.userInfo[.bulkWriter] = writer
    let json = try encoder.encode(sector)
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(writer.bytes)
    return (
      try decoder.decode(SourceScan.Sector.self, from: json), json.count + writer.bytes.count
    )
  }

  /// Runs a whole job as an engagement with one node would, and returns the largest message's size
  /// and the codes of refusals.
  func scan(_ job: inout ImageJob, with access: DataAccess) async throws -> (
    bytes: Int, refusals: [String]
  ) {
    let scan = SourceScan(data: access, cache: PixelCache(capacity: 1 << 24))
    var (largest, refusals) = (0, [String]())
    var tasks = [TaskRange(pass: 0, sectors: 0..<job.sectorCount)][...]
    while let range = tasks.popFirst() {
      for number in range.sectors {
        let task = TaskID(pass: range.pass, sector: number)
        var findings: SourceScan.Findings?
        while findings == nil {
          let (sector, bytes) = try travelled(try await job.sector(for: task, on: node))
          do {
            findings = try await scan.run(sector, settings: job.settings)
            largest = max(largest, bytes)
          } catch let refusal as SectorDataRefused {
            refusals.append(refusal.code)
            await job.refused(refusal, by: node, for: task)
          }
        }
        let found = try #require(findings)
        try job.check(found, for: task)
        tasks += try job.receive(found, for: task).added
      }
    }
    return (largest, refusals)
  }
}

extension Optional {
  fileprivate func asyncMap<Value>(
    _ body: (Wrapped) async throws -> Value
  ) async rethrows -> Value? {
    if let self { try await body(self) } else { nil }
  }
}

@Suite("Sectors that name their files")
struct ReferencedSectorTests {
  private let scene: Scene

  init() throws {
    scene = try Scene()
  }

  /// The catalogue of a run alone.
  private func catalog(of name: String = "here/sky.fits") async throws -> String {
    var job = try await scene.job(name)
    try await scanAll(&job)
    return try await job.table().csv
  }

  @Test("A system with the same file reads it, and the catalogue is that of a run alone")
  func sameFile() async throws {
    try await scene.drawSky()
    var job = try await scene.job()
    let access = try scene.access("here")
    let (bytes, refusals) = try await scene.scan(&job, with: access)
    #expect(refusals.isEmpty)
    // The background's nodes are the largest part; the pixels of a sector are 409,600 bytes.
    #expect(bytes < 10_000, "\(bytes)")
    #expect(try await job.table().csv == catalog())
    let counted = try #require(job.references).bytes
    #expect(counted.sent == 0 && counted.read == access.readBytes)
    #expect(counted.read > 700 * 300 * 2)
    #expect(counted.read < 2 * 700 * 300 * 2, "each pixel once, and the sectors' halos")
  }

  @Test("Weights are read too, and an image that is not plain is sent with weights that are")
  func weights() async throws {
    try await scene.drawSky()
    var weights = [Int16](repeating: 2, count: 700 * 300)
    for index in weights.indices where index % 50 == 0 { weights[index] = 0 }
    let unit = FITSUnit(bitpix: 16, axes: [700, 300], data: bigEndian(weights))
    try Data(unit.bytes).write(to: URL(fileURLWithPath: scene.path("here/weights.fits")))
    try scene.setTime(of: "here/weights.fits", 1_700_000_000)
    var alone = try await scene.job(weights: "here/weights.fits")
    try await scanAll(&alone)
    var job = try await scene.job(weights: "here/weights.fits")
    let (_, refusals) = try await scene.scan(&job, with: scene.access("here"))
    #expect(refusals.isEmpty && job.references?.bytes.sent == 0)
    #expect(try await job.table().csv == alone.table().csv)

    try await CompressedSky.write(scene.path("here/sky.fits"), to: scene.path("here/sky.fits.gz"))
    var mixed = try await scene.job("here/sky.fits.gz", weights: "here/weights.fits")
    _ = try await scene.scan(&mixed, with: scene.access("here"))
    let counted = try #require(mixed.references).bytes
    #expect(counted.read > 0 && counted.sent > 0)
    #expect(try await mixed.table().csv == alone.table().csv)
  }

  @Test("A copy is read, after all of it was compared, also where its time differs")
  func copy() async throws {
    try await scene.drawSky()
    try FileManager.default.copyItem(
      atPath: scene.path("here/sky.fits"), toPath: scene.path("there/sky.fits"))
    try scene.setTime(of: "there/sky.fits", 1_600_000_000)
    var job = try await scene.job(mapping: true)
    let (bytes, refusals) = try await scene.scan(&job, with: scene.access("there"))
    #expect(refusals == ["image copy"], "the digests are asked for once")
    #expect(bytes < 20_000, "\(bytes)")
    #expect(try await job.table().csv == catalog())
    #expect(job.references?.bytes.sent == 0)
  }

  @Test(
    "A copy that differs in one byte is never scanned in place of the image",
    arguments: [0, 30_000, 211_111, 419_998])
  func differingCopy(place: Int) async throws {
    try await scene.drawSky()
    let own = try Data(contentsOf: URL(fileURLWithPath: scene.path("here/sky.fits")))
    var other = own
    other[2880 + place] ^= 0x40
    try other.write(to: URL(fileURLWithPath: scene.path("there/sky.fits")))
    try scene.setTime(of: "there/sky.fits", 1_700_000_000)
    let told = Mutex<[String]>([])
    var job = try await scene.job(mapping: true) { line in told.withLock { $0.append(line) } }
    let (_, refusals) = try await scene.scan(&job, with: scene.access("there"))
    #expect(refusals == ["image copy", "image otherContents"], "and it is tried no more")
    #expect(try await job.table().csv == catalog())
    #expect(
      told.withLock { $0 } == [
        "node gets the pixels of \(scene.path("here/sky.fits")) from here: "
          + "it has other contents there"
      ])
  }

  @Test("A copy of another size is refused at once")
  func otherSize() async throws {
    try await scene.drawSky()
    let own = try Data(contentsOf: URL(fileURLWithPath: scene.path("here/sky.fits")))
    try (own + Data(count: 2880)).write(to: URL(fileURLWithPath: scene.path("there/sky.fits")))
    var job = try await scene.job(mapping: true)
    let (_, refusals) = try await scene.scan(&job, with: scene.access("there"))
    #expect(refusals == ["image otherSize"])
    #expect(try await job.table().csv == catalog())
  }

  @Test("A file whose modification time is another one than when it was opened is not read there")
  func otherTime() async throws {
    try await scene.drawSky()
    var job = try await scene.job()
    try scene.setTime(of: "here/sky.fits", 1_700_000_001)
    let (_, refusals) = try await scene.scan(&job, with: scene.access("here"))
    #expect(refusals == ["image otherTime"])
  }

  @Test("A file that was replaced by another one is not read there, and the open one is scanned")
  func replaced() async throws {
    try await scene.drawSky()
    let expected = try await catalog()
    try await scene.drawSky("here/new.fits", seed: 2)
    var job = try await scene.job()
    // The paths are looked up when the first sector is made.
    _ = try await job.sector(for: TaskID(pass: 0, sector: 0), on: scene.node)
    #expect(rename(scene.path("here/new.fits"), scene.path("here/sky.fits")) == 0)
    _ = try await scene.scan(&job, with: scene.access("here"))
    #expect(try await job.table().csv == expected)
  }

  @Test("A file whose blocks differ is not the same, whatever its number, size and times are")
  func challenge() async throws {
    try await scene.drawSky()
    let job = try await scene.job()
    let task = TaskID(pass: 0, sector: 1)
    var sector = try await job.sector(for: task, on: scene.node)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scene.path("here/sky.fits")))
    try file.write(contentsOf: Data(repeating: 1, count: 420_000))
    try file.close()
    try scene.setTime(of: "here/sky.fits", 1_700_000_000)
    // Its beginning no longer says that it is a FITS file.
    let beginning = try FileHandle(forWritingTo: URL(fileURLWithPath: scene.path("here/sky.fits")))
    try beginning.write(contentsOf: Data("SIMPLE  =".utf8))
    try beginning.close()
    try scene.setTime(of: "here/sky.fits", 1_700_000_000)
    // The change time has not been put back.
    try expectRefusal("image otherTime", of: sector, job)
    let state = try #require(FileState(path: scene.path("here/sky.fits")))
    sector.files?.image?.stamp.state = state
    try expectRefusal("image otherContents", of: sector, job)
  }

  @Test("A file that changes between the comparison and the reading is noticed")
  func changing() async throws {
    try await scene.drawSky()
    let job = try await scene.job()
    let sector = try await job.sector(for: TaskID(pass: 0, sector: 0), on: scene.node)
    let path = scene.path("here/sky.fits")
    try expectRefusal("image changed", of: sector, job) {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.seek(toOffset: 5000)
      try file.write(contentsOf: Data([1, 2, 3]))
      try file.close()
      // Whoever sets the modification time back cannot set back when that was done.
      try scene.setTime(of: "here/sky.fits", 1_700_000_000)
    }
    try expectRefusal("image otherSize", of: sector, job, truncated: path)
  }

  @Test("A copy that changes after it was opened is compared as it is read")
  func changingCopy() async throws {
    try await scene.drawSky()
    try FileManager.default.copyItem(
      atPath: scene.path("here/sky.fits"), toPath: scene.path("there/sky.fits"))
    let job = try await scene.job(mapping: true)
    let task = TaskID(pass: 0, sector: 0)
    await job.refused(
      SectorDataRefused(code: "image copy", reason: ""), by: scene.node, for: task)
    let sector = try await job.sector(for: task, on: scene.node)
    let there = scene.path("there/sky.fits")
    try expectRefusal("image otherContents", of: sector, job, below: "there") {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: there))
      try file.seek(toOffset: 2880 + 500)
      try file.write(contentsOf: Data([1, 2, 3]))
      try file.close()
    }
  }

  private func expectRefusal(
    _ code: String, of sector: SourceScan.Sector, _ job: ImageJob, below name: String = "here",
    truncated path: String? = nil, _ change: () throws -> Void = {},
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if let path { #expect(truncate(path, 4000) == 0) }
    let files = try #require(sector.files)
    do {
      _ = try scene.access(name).fill(
        sector.readWork, from: files, job.settings, compared: change)
      Issue.record("it was read", sourceLocation: sourceLocation)
    } catch let refusal as SectorDataRefused {
      #expect(refusal.code == code, sourceLocation: sourceLocation)
    }
  }

  @Test("A scan of another process's own, and a node without --data, read no file without a proof")
  func noAccess() async throws {
    try await scene.drawSky()
    let told = Mutex<[String]>([])
    var job = try await scene.job { line in told.withLock { $0.append(line) } }
    let (_, refusals) = try await scene.scan(&job, with: scene.access())
    #expect(refusals == ["image noAccess"])
    let task = TaskID(pass: 0, sector: 0)
    #expect(try await job.sector(for: task, on: scene.node).files == nil)
    // Another system is asked, and what may be so for all is told once.
    let other = SectorRecipient(incarnation: Incarnation(), name: "other", isLocal: false)
    #expect(try await job.sector(for: task, on: other).files != nil)
    await job.refused(
      SectorDataRefused(code: "image noAccess", reason: ""), by: other, for: task)
    #expect(try await job.sector(for: task, on: other).files == nil)
    #expect(
      told.withLock { $0 } == [
        "node gets the pixels of \(scene.path("here/sky.fits")) from here: a node without --data "
          + "reads only for an engagement of its own machine and account"
      ])
  }

  @Test("A system that refuses a file is not taken to keep what it was to read")
  func nothingKept() async throws {
    try await scene.drawSky()
    let job = try await scene.job()
    let task = TaskID(pass: 0, sector: 2)
    _ = try await job.sector(for: task, on: scene.node)
    #expect(job.holdings.has(oneOf: [2], scene.node.incarnation))
    await job.refused(
      SectorDataRefused(code: "image missing", reason: ""), by: scene.node, for: task)
    #expect(!job.holdings.has(oneOf: [2], scene.node.incarnation))
  }

  @Test("Sectors with impossible files are refused")
  func hostile() async throws {
    try await scene.drawSky()
    let job = try await scene.job()
    let good = try await job.sector(for: TaskID(pass: 0, sector: 0), on: scene.node)
    let access = try scene.access("here")
    func fails(_ change: (inout FileReference) -> Void) throws -> Bool {
      var files = try #require(good.files)
      if var image = files.image {
        change(&image)
        files.image = image
      }
      do {
        _ = try access.fill(good.readWork, from: files, job.settings)
        return false
      } catch {
        return true
      }
    }
    #expect(try !fails { _ in })
    #expect(try fails { $0.start = -1 })
    #expect(try fails { $0.start = .max })
    #expect(try fails { $0.start += 400_000 })
    #expect(try fails { $0.stamp.state.size = .max })
    #expect(try fails { $0.challenge = [-1, 0, 1, 2] })
    #expect(try fails { $0.challenge = [.max, 0, 1, 2] })
    #expect(try fails { $0.challenge = [1, 2] })
    #expect(try fails { $0.challenge = Array(repeating: 1, count: 100_000) })
    #expect(try fails { $0.challenge = nil })
    #expect(
      try fails {
        ($0.challenge, $0.stamp.state.size, $0.start) = (nil, .max, .max - 700 * 300 * 4)
      })
    #expect(try fails { ($0.stamp.state.size, $0.start) = (.min, .min) })
    #expect(try fails { $0.paths = [] })
    #expect(try fails { $0.paths = Array(repeating: "/", count: 100) + $0.paths })
    var filled = good
    filled = SourceScan.Sector(
      try access.fill(good.readWork, from: try #require(good.files), job.settings),
      files: good.files)
    #expect(throws: InvalidScan.self) {
      _ = try SourceScan(data: access).findings(in: filled, settings: job.settings)
    }
  }
}

extension SourceScan.Sector {
  /// The work with the patches that are read from the files.
  fileprivate var readWork: SourceWork { cacheUse?.patch.map { .background($0) } ?? work }
}

/// A gzipped copy of a file.
private enum CompressedSky {
  static func write(_ path: String, to other: String) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "gzip -c \"$0\" > \"$1\"", path, other]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
