import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// Runs an image of one sector in its one task.
func scanWhole(_ job: inout ImageJob) async throws {
  let task = TaskID(pass: ImageJob.Pass.whole, sector: 0)
  guard job.firstTasks(inOneTask: true) == [TaskRange(pass: task.pass, sectors: 0..<1)] else {
    throw InvalidScan("the image is not one task")
  }
  let sector = try await job.sector(for: task)
  let found = try await job.scan.run(sector, settings: job.settings)
  try job.check(found, for: task)
  let (size, limit) = (try size(of: found), job.outputLimit(for: task))
  guard size.json <= limit.json, size.bulk <= limit.bulk else {
    throw InvalidScan("findings of \(size), and at most \(limit) are let through")
  }
  let received = try job.receive(found, for: task)
  guard received.added.isEmpty, received.result as? Int == job.catalog.sources.count else {
    throw InvalidScan("\(received)")
  }
}

/// An image that one task scans has the catalogue of the same image in sectors, byte for byte.
@Suite("An image scanned in one task", .timeLimit(.minutes(20)))
struct WholeImageTests {
  /// What the settings are besides the defaults.
  enum Variant: String, CaseIterable {
    case plain, faint, automatic, apertures, cleaned, everything, large, wideKernel, smallMeshes

    func change(_ settings: inout SourceScan.Settings) {
      switch self {
      case .plain: break
      case .faint:
        settings.threshold = 0.8
        settings.minimumArea = 1
      case .automatic: settings.kron = DetectionSettings.Kron()
      case .apertures:
        settings.apertures = [5, 31]
        settings.gain = 2
      case .cleaned:
        settings.threshold = 0.8
        settings.minimumArea = 2
        settings.cleaning = 1
      case .everything:
        settings.threshold = 0.9
        settings.minimumArea = 2
        settings.kron = DetectionSettings.Kron()
        settings.apertures = [4, 9]
        settings.saturation = 1500
        settings.gain = 1.5
        settings.cleaning = 1
      case .large:
        settings.maximumExtent = 8
        settings.kron = DetectionSettings.Kron()
        settings.apertures = [5]
        settings.cleaning = 1
      case .wideKernel:
        settings.kernel = SmoothingKernel(
          width: 5, height: 9, weights: (0..<45).map { Float(1 + $0 % 7) }, isNormalised: true)
        settings.cleaning = 1
      case .smallMeshes:
        settings.mesh = 32
        settings.kron = DetectionSettings.Kron()
      }
    }
  }

  /// The catalogues of an image in one task, in one sector with all passes, and in sectors.
  private func expectSame(
    _ image: FITSImage, weights: FITSImage? = nil, side: Int = 128, atLeast: Int = 0,
    _ change: (inout SourceScan.Settings) -> Void = { _ in }
  ) async throws {
    var example = SourceScan.Settings(
      grid: try SectorGrid(width: 64, height: 64, side: 64), coding: image.coding)
    change(&example)
    func job(side: Int) throws -> ImageJob {
      let grid = try SectorGrid(
        width: image.width, height: image.height, side: side, mesh: example.mesh)
      var settings = SourceScan.Settings(grid: grid, coding: image.coding)
      change(&settings)
      return try ImageJob(image: image, weights: weights, settings: settings)
    }
    let wholeSide = try #require(
      SectorGrid.wholeSide(width: image.width, height: image.height, mesh: example.mesh))
    var whole = try job(side: wholeSide)
    try await scanWhole(&whole)
    let catalog = try await whole.table(Column.allCases).csv
    for (side, runsInOneTask) in [(wholeSide, true), (wholeSide, false), (side, true)] {
      var job = try job(side: side)
      job.runsInOneTask = runsInOneTask
      try await scanAll(&job)
      #expect(try await job.table(Column.allCases).csv == catalog, "side \(side)")
      // Cleaning drops the same sources from the same list.
      #expect(job.catalog.inOrder == whole.catalog.inOrder)
    }
    #expect(catalog.split(separator: "\n").count > atLeast)
  }

  private func write(
    _ values: [Float], width: Int, to name: String, in folder: TemporaryFolder
  ) async throws -> FITSImage {
    let unit = FITSUnit(
      bitpix: -32, axes: [width, values.count / width], data: bigEndian(values))
    return try await FITSImage.open(try folder.write(name, unit.bytes))
  }

  private func values(width: Int, height: Int, starCount: Int) throws -> [Float] {
    let sky = try SyntheticSky(width: width, height: height, starCount: starCount)
    return IteratorSequence(SkyBands(sky, rowsPerBand: nil)).joined().map { Float($0) }
  }

  @Test("A crowded image with areas that have no value", arguments: Variant.allCases)
  func crowded(variant: Variant) async throws {
    let folder = try TemporaryFolder()
    let (width, height) = (320, 250)
    var values = try self.values(width: width, height: height, starCount: 280)
    for row in 100..<130 { for column in 20..<300 { values[row * width + column] += 40 } }
    for row in 0..<height { values[row * width + 70] = .nan }
    for row in 180..<220 { for column in 180..<260 { values[row * width + column] = .nan } }
    let image = try await write(values, width: width, to: "sky.fits", in: folder)
    try await expectSame(image, atLeast: 60, variant.change)
  }

  @Test("An image with weights", arguments: [Variant.plain, .everything, .large])
  func weights(variant: Variant) async throws {
    let folder = try TemporaryFolder()
    let (width, height) = (300, 200)
    let values = try self.values(width: width, height: height, starCount: 150)
    let weights = values.indices.map { index in
      index % 97 == 0 || index % width > 280 ? Float(0) : 1 + Float(index % width) / 400
    }
    let image = try await write(values, width: width, to: "sky.fits", in: folder)
    let map = try await write(weights, width: width, to: "weights.fits", in: folder)
    try await expectSame(image, weights: map, atLeast: 40, variant.change)
  }

  @Test(
    "Images of 16-bit pixels, of one mesh, and smaller than one",
    arguments: [(64, 64), (70, 33), (1, 1), (3, 200)])
  func small(width: Int, height: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sky.fits")
    try await SyntheticSky(width: 96, height: 208, starCount: 30).write(to: path)
    let sky = try await FITSImage.open(path)
    let values = try await sky.values(
      in: PixelRectangle(x: 0, y: 0, width: width, height: height))
    let image = try await write(values, width: width, to: "part.fits", in: folder)
    try await expectSame(image, side: 64, Variant.everything.change)
    try await expectSame(sky, side: 64, Variant.everything.change)
  }

  @Test("An image without any value has no background, and no sources")
  func withoutBackground() async throws {
    let folder = try TemporaryFolder()
    let image = try await write(
      Array(repeating: .nan, count: 200 * 100), width: 200, to: "nan.fits", in: folder)
    try await expectSame(image, Variant.everything.change)
  }

  @Test("An image of one value")
  func constant() async throws {
    let folder = try TemporaryFolder()
    let image = try await write(
      Array(repeating: 7, count: 200 * 100), width: 200, to: "flat.fits", in: folder)
    try await expectSame(image, Variant.everything.change)
  }

  @Test("An image of the greatest side that one sector has")
  func greatest() async throws {
    #expect(SectorGrid.wholeSide(width: 4096, height: 4096) == 4096)
    #expect(SectorGrid.wholeSide(width: 4097, height: 10) == nil)
    let folder = try TemporaryFolder()
    let path = folder.file("sky.fits")
    try await SyntheticSky(width: 4096, height: 4096, starCount: 400).write(to: path)
    let image = try await FITSImage.open(path)
    let grid = try SectorGrid(width: 4096, height: 4096, side: 4096)
    let settings = SourceScan.Settings(grid: grid, coding: image.coding)
    var whole = try ImageJob(image: image, settings: settings)
    try await scanWhole(&whole)
    var cut = try ImageJob(image: image)
    #expect(cut.sectorCount > 1)
    try await scanAll(&cut)
    #expect(try await cut.table(Column.allCases).csv == whole.table(Column.allCases).csv)
  }

  @Test("An image of several sectors is never one task")
  func several() async throws {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 256, height: 128, starCount: 3)
    let job = try ImageJob(image: image, sectorSide: 128)
    #expect(job.firstTasks(inOneTask: true) == [TaskRange(sectors: 0..<2)])
    var one = try ImageJob(image: image, sectorSide: 256)
    #expect(one.firstTasks(inOneTask: false) == [TaskRange(sectors: 0..<1)])
    #expect(one.passes.count == 3)
    one.runsInOneTask = true
    #expect(one.passes.count == 1)
  }
}

/// Findings of a whole image that no pixels can have, and images that no task scans whole, are refused.
@Suite("Impossible findings of an image scanned in one task")
struct ImpossibleWholeTests {
  private let first = TaskID(pass: ImageJob.Pass.whole, sector: 0)

  private func job() async throws -> (job: ImageJob, found: [Source]) {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 256, height: 200, starCount: 30)
    let job = try ImageJob(image: image, sectorSide: 256)
    let found = try await job.scan.run(try await job.sector(for: first), settings: job.settings)
    guard case .whole(let list, _) = found.found else { throw InvalidScan("no sources") }
    try job.check(found, for: first)
    return (job, list.sources)
  }

  /// The sky of the image's meshes.
  private static let skies = SkyList(Array(repeating: MeshSky(level: 0, noise: 1), count: 16))

  @Test("Skies that are not those of the image's meshes are refused")
  func skies() async throws {
    let (job, found) = try await job()
    try job.check(.whole(SourceList(found), Self.skies), for: first)
    for skies in [
      [], Array(Self.skies.skies.dropLast()),
      Self.skies.skies.map { _ in
        MeshSky(level: .nan, noise: 1)
      },
    ] {
      #expect(throws: InvalidScan.self) {
        try job.check(.whole(SourceList(found), SkyList(skies)), for: first)
      }
    }
  }

  @Test("A source that the image's pixels cannot make is refused")
  func sources() async throws {
    let (job, found) = try await job()
    let changes: [(inout Source) -> Void] = [
      { $0.area = .max }, { $0.area = 0 }, { $0.xMax = .max }, { $0.xMax = 257 },
      { $0.yMin = .min },
      { $0.yMax = 201 }, { $0.x = 1e300 }, { $0.y = -1e9 }, { $0.xx = .infinity },
      { $0.flux = .nan }, { $0.peak = -.infinity }, { $0.variance = -1 }, { $0.part = -1 },
      { $0.component.row = 200 }, { $0.component.column = 256 }, { $0.apertureFluxes = [] },
      { $0.kron = Source.EllipseFlux(radius: 1, flux: 1) },
      { $0.cleaning = CleaningMeasures(flux: 1, threshold: 1) },
    ]
    for (number, change) in changes.enumerated() {
      var sources = found
      change(&sources[0])
      #expect(throws: InvalidScan.self, "change \(number)") {
        try job.check(.whole(SourceList(sources), Self.skies), for: first)
      }
    }
    for sources in [[found[0], found[0]], found.reversed()] {
      #expect(throws: InvalidScan.self) {
        try job.check(.whole(SourceList(sources), Self.skies), for: first)
      }
    }
  }

  @Test("Fragments, crowded components, skies, and findings of another sector or job are refused")
  func others() async throws {
    let (job, found) = try await job()
    let sky = MeshSky(level: 0, noise: 1)
    let place = ComponentPlace(
      first: PixelPlace(row: 10, column: 10), box: PixelBox(columns: 10..<16, rows: 10..<16))
    var sums = ExactSums()
    sums.add(
      MeasuredPixel(
        place: PixelPlace(row: 3, column: 3), value: 2, smoothed: 2, isOverThreshold: true),
      isSaturated: false, variance: 1, noise: 1)
    let fragment = Fragment(
      box: PixelBox(columns: 3..<4, rows: 3..<4), first: PixelPlace(row: 3, column: 3), outline: [],
      outside: [], sums: sums)
    for findings in [
      SourceFound.sources(SourceList(found), fragments: [fragment]),
      .sources(SourceList(found), fragments: [], crowded: [place]),
      .background(SkyList(Array(repeating: sky, count: 16))),
    ] {
      #expect(throws: InvalidScan.self) { try job.check(findings, for: first) }
    }
    let sources = SourceFound.whole(SourceList(found), Self.skies)
    #expect(throws: InvalidScan.self) {
      try job.check(sources, for: TaskID(pass: first.pass, sector: 1))
    }
    let cut = try ImageJob(image: job.image, sectorSide: 64)
    #expect(throws: InvalidScan.self) { try cut.check(sources, for: first) }
    #expect(throws: InvalidScan.self) { try job.check(sources, for: TaskID(pass: 5, sector: 0)) }
  }

  @Test("A whole image that is not the only sector's pixels is refused before it is scanned")
  func patches() throws {
    let settings = try floatSettings(width: 100, height: 50)
    let values = Array(repeating: Float(1), count: 5000)
    _ = try SourceScan().findings(
      in: .whole(floatPatch(width: 100, height: 50, values)), settings: settings)
    for patch in [
      floatPatch(width: 50, height: 100, values), floatPatch(x: 1, width: 100, height: 50, values),
      floatPatch(width: 100, height: 49, Array(values.dropLast(100))),
      floatPatch(width: 100, height: 50, Array(values.dropLast())),
    ] {
      #expect(throws: InvalidScan.self) {
        try SourceScan().findings(in: .whole(patch), settings: settings)
      }
    }
    var cut = settings
    cut.grid = try SectorGrid(width: 100, height: 50, side: 64)
    #expect(throws: InvalidScan.self) {
      try SourceScan().findings(
        in: .whole(floatPatch(width: 64, height: 50, Array(values.prefix(3200)))), settings: cut)
    }
  }
}
