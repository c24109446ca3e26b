import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// The catalogue of an image does not depend on how the image is cut.
@Suite("Scans in sectors")
struct SeamTests {
  /// An image with single and crowded stars and with pixels without values, and its weights.
  private struct Field {
    let image: FITSImage
    let weights: FITSImage
    /// The weights with larger gaps: a column, a block, and a corner as of a turned image.
    let gaps: FITSImage
    private let folder: TemporaryFolder

    init() async throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      let (width, height) = (400, 300)
      let sky = try SyntheticSky(width: width, height: height, starCount: 100)
      var values = IteratorSequence(SkyBands(sky, rowsPerBand: nil)).joined().map { Float($0) }
      // Beside each bright pixel there is a second star, and a bar of light crosses several
      // sectors.
      for index in values.indices where values[index] > 1300 && index % width < width - 6 {
        values[index + 5] += values[index] / 3
      }
      for row in 100..<140 {
        for column in 50..<350 { values[row * width + column] += 40 }
      }
      for row in 0..<height { values[row * width + 70] = .nan }
      for row in 180..<200 {
        for column in 180..<220 { values[row * width + column] = .nan }
      }
      let weights = values.indices.map { index in
        index % 97 == 0 ? Float(0) : 1 + Float(index % width) / 400
      }
      let gaps = weights.enumerated().map { index, weight in
        let (column, row) = (index % width, index / width)
        let isBlock = (250..<290).contains(column) && (60..<125).contains(row)
        return column == 128 || isBlock || column > 480 - row ? Float(0) : weight
      }
      func write(_ name: String, _ values: [Float]) async throws -> FITSImage {
        let unit = FITSUnit(bitpix: -32, axes: [width, height], data: bigEndian(values))
        return try await FITSImage.open(try folder.write(name, unit.bytes))
      }
      image = try await write("sky.fits", values)
      self.weights = try await write("weights.fits", weights)
      self.gaps = try await write("gaps.fits", gaps)
    }

    func catalog(
      side: Int, halo: Int, backwards: Bool = false, weighted: Bool = false,
      columns: [Column] = Column.allCases, _ change: (inout SourceScan.Settings) -> Void = { _ in }
    ) async throws -> String {
      var settings = SourceScan.Settings(
        grid: try SectorGrid(width: image.width, height: image.height, side: side, halo: halo),
        coding: image.coding)
      change(&settings)
      var job = try ImageJob(
        image: image, weights: !weighted ? nil : settings.interpolates ? gaps : weights,
        settings: settings)
      try await scanAll(&job, backwards: backwards)
      return try await job.table(columns).csv
    }
  }

  private static let cuts = [(64, 2), (128, 5), (192, 64)]

  @Test(
    "Every cut gives the same catalogue",
    arguments: cuts)
  func cut(side: Int, halo: Int) async throws {
    let field = try await Field()
    let whole = try await field.catalog(side: 512, halo: 32)
    #expect(try await field.catalog(side: side, halo: halo) == whole)
    #expect(try await field.catalog(side: side, halo: halo, backwards: true) == whole)
    #expect(whole.split(separator: "\n").count > 80)
  }

  @Test(
    "Every cut gives the same catalogue with weights and ellipses",
    arguments: cuts)
  func weights(side: Int, halo: Int) async throws {
    let field = try await Field()
    func catalog(_ side: Int, _ halo: Int) async throws -> String {
      try await field.catalog(side: side, halo: halo, weighted: true) { settings in
        settings.kron = DetectionSettings.Kron()
        settings.saturation = 1500
        settings.apertures = [5, 31]
        settings.minimumArea = 2
        settings.gain = 2
      }
    }
    let whole = try await catalog(512, 32)
    #expect(try await catalog(side, halo) == whole)
    #expect(whole.split(separator: "\n").count > 80)
  }

  /// Circles may be as wide as the whole image, and far wider than a sector and its halo.
  @Test(
    "Every cut gives the same catalogue with many circles, and very wide ones",
    arguments: [(64, 2), (128, 32), (128, SectorGrid.halo(side: 128, reach: 260))])
  func apertures(side: Int, halo: Int) async throws {
    let field = try await Field()
    func catalog(_ side: Int, _ halo: Int) async throws -> String {
      try await field.catalog(side: side, halo: halo, weighted: true) { settings in
        settings.apertures = (1...18).map { 3 * Double($0) } + [0, 300.5, 517, 1024]
        settings.cleaning = 1
      }
    }
    let whole = try await catalog(512, 32)
    #expect(try await catalog(side, halo) == whole)
    #expect(whole.split(separator: "\n")[0].contains("FLUX_APER_20"))
  }

  /// Frames are wider than halos, so most components are scanned again with more of the image.
  @Test(
    "Every cut gives the same catalogue with the sky around each source",
    arguments: [(64, 2), (128, 5), (192, 64)], [24, 90])
  func localSky(cut: (side: Int, halo: Int), thickness: Int) async throws {
    let field = try await Field()
    func catalog(
      _ side: Int, _ halo: Int, _ change: (inout SourceScan.Settings) -> Void
    ) async throws -> String {
      try await field.catalog(side: side, halo: halo, backwards: halo == 5, weighted: true) {
        $0.localThickness = thickness
        $0.measures = [.thresholds, .profile]
        $0.gain = 2
        $0.cleaning = 1
        change(&$0)
      }
    }
    func expectSame(_ change: (inout SourceScan.Settings) -> Void) async throws {
      let whole = try await catalog(512, 32, change)
      #expect(try await catalog(cut.side, cut.halo, change) == whole)
      #expect(whole.split(separator: "\n").count > 50)
    }
    try await expectSame { _ in }
    try await expectSame { settings in
      settings.measures = [.thresholds, .profile, .fluxErrors, .positionErrors, .window]
      settings.kron = DetectionSettings.Kron()
      settings.petrosian = DetectionSettings.Petrosian()
      settings.fluxFractions = [0.5]
    }
  }

  @Test(
    "Every cut gives the same catalogue with meshes of two sides",
    arguments: cuts, [nil, 999.5])
  func meshes(cut: (side: Int, halo: Int), level: Double?) async throws {
    let field = try await Field()
    func catalog(_ side: Int, _ halo: Int) async throws -> String {
      try await field.catalog(side: side, halo: halo) { settings in
        settings.mesh = DetectionSettings.MeshSize(width: 64, height: 32)
        settings.meshFilter = DetectionSettings.MeshFilter(width: 5, height: 3, threshold: 0.05)
        settings.backgroundLevel = level
      }
    }
    #expect(try await catalog(cut.side, cut.halo) == catalog(512, 32))
  }

  @Test("Sectors have whole meshes")
  func wholeMeshes() throws {
    let mesh = DetectionSettings.MeshSize(width: 64, height: 48)
    #expect(SectorGrid.defaultSide(width: 2000, height: 2000, mesh: mesh) == 384)
    #expect(SectorGrid.wholeSide(width: 300, height: 200, mesh: mesh) == 384)
    #expect(throws: InvalidScan.self) {
      try SectorGrid(width: 2000, height: 2000, side: 64, mesh: mesh)
    }
    let odd = DetectionSettings.MeshSize(width: 64, height: 67)
    #expect(SectorGrid.wholeSide(width: 300, height: 200, mesh: odd) == nil)
    #expect(throws: InvalidScan.self) {
      try SectorGrid(width: 2000, height: 2000, side: 4288, mesh: odd)
    }
  }

  @Test("A halo is wider only where circles are very wide, and no patch is too large")
  func halo() {
    #expect(SectorGrid.halo(side: 512, reach: 5) == 32)
    #expect(SectorGrid.halo(side: 512, reach: 131) == 32)
    #expect(SectorGrid.halo(side: 512, reach: 515) == 547)
    #expect(SectorGrid.halo(side: 4096, reach: 515) == 256)
  }

  @Test(
    "Every cut gives the same catalogue with interpolated gaps and gains that follow the weights",
    arguments: [(64, 50), (128, 100), (192, 64)], [2048, 12])
  func interpolation(cut: (side: Int, halo: Int), maximumExtent: Int) async throws {
    let field = try await Field()
    func catalog(_ side: Int, _ halo: Int) async throws -> String {
      try await field.catalog(side: side, halo: halo, weighted: true) { settings in
        settings.interpolates = true
        settings.scalesGain = true
        settings.gain = 2
        settings.analysisThreshold = 3
        settings.kron = DetectionSettings.Kron()
        settings.cleaning = 1
        settings.saturation = 1500
        settings.maximumExtent = maximumExtent
      }
    }
    let whole = try await catalog(512, 64)
    #expect(try await catalog(cut.side, cut.halo) == whole)
    #expect(whole.split(separator: "\n").count > 50)
  }

  private static let kinds: [(DetectionSettings.Weighting, DetectionSettings.Masking)] = [
    (.init(kind: .background), .blank), (.init(kind: .background, threshold: 11), .correct),
    (.init(kind: .deviation, threshold: 1.7), .none), (.init(kind: .variance), .blank),
    (.init(kind: .variance, rescales: false, threshold: 1.6), .correct),
    (.init(rescales: false, threshold: 1.2), .correct),
  ]

  @Test(
    "Every cut gives the same catalogue with any weights, masks, circles and largest sources",
    arguments: kinds, [false, true])
  func weightings(
    kind: (weighting: DetectionSettings.Weighting, masking: DetectionSettings.Masking),
    interpolates: Bool
  ) async throws {
    let field = try await Field()
    func catalog(_ side: Int, _ halo: Int) async throws -> String {
      try await field.catalog(
        side: side, halo: halo, weighted: kind.weighting.kind != .background
      ) { settings in
        (settings.weighting, settings.masking) = (kind.weighting, kind.masking)
        settings.interpolates = interpolates
        (settings.scalesGain, settings.gain) = (true, 2)
        (settings.threshold, settings.isThresholdAbsolute) = (9, true)
        settings.maximumArea = 150
        settings.cleaning = 1
        settings.kron = DetectionSettings.Kron()
        settings.petrosian = DetectionSettings.Petrosian()
        settings.fluxFractions = [0.5]
        settings.measures = [.weightCounts, .fluxErrors]
        settings.leastCircles = DetectionSettings.LeastCircles(search: 17, flux: 14.5)
      }
    }
    let whole = try await catalog(512, 64)
    for (side, halo) in [(64, 50), (128, 100)] {
      #expect(try await catalog(side, halo) == whole)
    }
    #expect(whole.split(separator: "\n").count > 30)
  }

  @Test(
    "Every cut gives the same catalogue with a wide kernel and cleaning",
    arguments: [(64, 6), (128, 32)])
  func kernels(side: Int, halo: Int) async throws {
    let field = try await Field()
    func catalog(_ side: Int, _ halo: Int) async throws -> String {
      try await field.catalog(side: side, halo: halo, weighted: true) { settings in
        settings.kernel = SmoothingKernel(
          width: 5, height: 9, weights: (0..<45).map { Float(1 + $0 % 7) }, isNormalised: true)
        settings.cleaning = 1
        settings.apertures = []
      }
    }
    #expect(try await catalog(side, halo) == catalog(512, 32))
  }

  /// A saturated star has many highest pixels, which lie in several sectors.
  @Test("Of equally high pixels, the first one is the peak in every cut", arguments: [8, 2048])
  func equalPeaks(maximumExtent: Int) async throws {
    let folder = try TemporaryFolder()
    let (width, height) = (256, 256)
    var values = [Float](repeating: 100, count: width * height)
    for row in 100..<160 {
      // The rows below begin farther to the left.
      for column in 150 - row / 2..<190 { values[row * width + column] = 1000 }
    }
    let unit = FITSUnit(bitpix: -32, axes: [width, height], data: bigEndian(values))
    let image = try await FITSImage.open(try folder.write("plateau.fits", unit.bytes))
    for (side, halo) in [(256, 32)] + Self.cuts.dropLast() {
      var settings = SourceScan.Settings(
        grid: try SectorGrid(width: width, height: height, side: side, halo: halo),
        coding: image.coding)
      settings.maximumExtent = maximumExtent
      var job = try ImageJob(image: image, settings: settings)
      try await scanAll(&job, backwards: true)
      // The kernel lowers the plateau's edge by a pixel.
      let csv = try await job.table([.xPeak, .yPeak]).csv
      #expect(csv == "XPEAK_IMAGE,YPEAK_IMAGE\n102,102\n", "side \(side)")
    }
  }

  @Test("Sources that are too large for the catalogue count for the numbers of components")
  func parents() async throws {
    let field = try await Field()
    func numbers(_ side: Int, _ halo: Int, maximumArea: Int) async throws -> [String: String] {
      let table = try await field.catalog(
        side: side, halo: halo, columns: [.xPeak, .yPeak, .parent]
      ) {
        $0.detection.maximumArea = maximumArea
        $0.detection.measures = .componentEnds
      }
      let rows = table.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
      return Dictionary(uniqueKeysWithValues: rows.map { ("\($0[0]),\($0[1])", String($0[2])) })
    }
    let all = try await numbers(512, 64, maximumArea: 0)
    for (side, halo) in [(512, 64), (64, 50)] {
      let some = try await numbers(side, halo, maximumArea: 60)
      #expect(some.count > 10 && some.count < all.count)
      #expect(some.allSatisfy { all[$0.key] == $0.value })
    }
  }

  @Test("Every cut gives the same catalogue with a component that has too many parts")
  func overfull() async throws {
    let folder = try TemporaryFolder()
    let side = 300
    var random = SplitMix64(seed: 3)
    let values = (0..<side * side).map { _ in Float(30 + 5 * random.nextNormal()) }
    let unit = FITSUnit(bitpix: -32, axes: [side, side], data: bigEndian(values))
    let image = try await FITSImage.open(try folder.write("noise.fits", unit.bytes))
    var catalogs: Set<String> = []
    for (part, halo) in [(512, 32), (64, 16), (128, 32)] {
      var settings = SourceScan.Settings(
        grid: try SectorGrid(width: side, height: side, side: part, halo: halo),
        coding: image.coding)
      settings.detection.backgroundLevel = 0
      settings.detection.cleaning = 1
      settings.detection.kron = DetectionSettings.Kron()
      var job = try ImageJob(image: image, settings: settings)
      try await scanAll(&job)
      catalogs.insert(
        try await job.table([.xPeak, try #require(Column(rawValue: "FLUX_AUTO")), .flags]).csv)
    }
    #expect(catalogs.count == 1)
    // Its ellipse is cut, too.
    #expect(catalogs.first?.contains(",88\n") == true, "\(catalogs)")
  }

  /// The components are too large to be deblended.
  @Test(
    "Every cut gives the same catalogue with large components",
    arguments: cuts)
  func large(side: Int, halo: Int) async throws {
    let field = try await Field()
    func catalog(_ side: Int, _ halo: Int) async throws -> String {
      try await field.catalog(side: side, halo: halo, weighted: true) { settings in
        settings.maximumExtent = 8
        settings.saturation = 1500
      }
    }
    #expect(try await catalog(side, halo) == catalog(512, 200))
  }
}
