import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

@Suite("Stamps and components of sources in catalogues")
struct StampCatalogTests {
  private typealias Stamp = DetectionSettings.Stamp

  // MARK: SExtractor's

  /// An image of four stars, one of them in a corner.
  private static let side = 128
  private static var stars: [Float] {
    func star(
      _ height: Double, _ center: (x: Double, y: Double), _ width: (x: Double, y: Double),
      _ column: Int, _ row: Int
    ) -> Double {
      let (dx, dy) = (Double(column) - center.x, Double(row) - center.y)
      let square = 1 + dx * dx / width.x + dy * dy / width.y
      return height / (square * square)
    }
    return (0..<side * side).map { index in
      let (column, row) = (index % side, index / side)
      let ripple = Double((column * 37 + row * 101 + column * row * 7) % 23 - 11) * 0.25
      let first = star(300, (56.3, 60.6), (9, 6), column, row)
      let second = star(200, (75.2, 66.1), (8, 8), column, row)
      let third = star(150, (2.7, 121.4), (5, 4), column, row)
      return Float(
        100 + ripple + first + second + third + star(120, (56.2, 80.9), (5, 5), column, row))
    }
  }

  /// The table of the stars, in stamps of 36 × 45 pixels.
  private func table(_ columns: [Column]) async throws -> CatalogTable {
    let folder = try TemporaryFolder()
    let unit = FITSUnit(
      bitpix: -32, axes: [Self.side, Self.side], data: bigEndian(Self.stars))
    let image = try await FITSImage.open(try folder.write("stars.fits", unit.bytes))
    var settings = SourceScan.Settings(
      grid: try SectorGrid(width: Self.side, height: Self.side, side: 64), coding: image.coding)
    (settings.threshold, settings.cleaning) = (4, 1)
    settings.detection.measure(columns)
    settings.stamp = Stamp(width: 36, height: 45)
    var job = try ImageJob(image: image, settings: settings)
    try await scanAll(&job)
    return try await job.table(columns)
  }

  /// The numbers of SExtractor 2.25.
  @Test("Stamps are SExtractor's")
  func sextractor() async throws {
    let table = try await table([.x, .stamp])
    let printed = table.printed
    #expect(printed.fields[1].dimensions == [36, 45])
    let expected: [(x: Double, blank: Int, first: Double, middle: Double, sum: Double)] = [
      (57.3362, 88, -0.1630249, 280.0838, 7408.187950134277),
      (76.1779, 94, -1.2776337, 195.00824, 5588.794486999512),
      (57.2401, 137, 0.80055237, 116.83411, 2692.4176483154297),
      (3.8788, 1011, -1e30, 135.24593, 1985.0167617797852),
    ]
    #expect(table.rowCount == expected.count)
    for row in 0..<table.rowCount {
      var (values, stamp) = ([Double](), [Double]())
      printed.forEachValue(row, &values) { field, value in
        if field.name == "VIGNET" { stamp.append(Double(Float(value))) }
      }
      let x = table.sources[row].x
      let known = try #require(expected.first { abs($0.x - x) < 0.01 })
      #expect(stamp.count == 36 * 45)
      #expect(stamp.count { $0 < -1e29 } == known.blank)
      let least = 0.02
      #expect(abs(stamp[0] - known.first) <= least * max(1, abs(known.first)))
      #expect(abs(stamp[22 * 36 + 18] - known.middle) < least)
      let sum = stamp.filter { $0 > -1e29 }.reduce(0, +)
      #expect(abs(sum - known.sum) < least * Double(36 * 45 - known.blank))
    }
  }

  /// SExtractor 2.25 numbers the stars so.
  @Test("Components are numbered in the order in which they end")
  func parents() async throws {
    let table = try await table([.x, .parent])
    #expect(
      table.csv.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }
        == table.sources.map {
          switch $0.x {
          case ..<10: "4"
          case 70...: "2"
          default: $0.y < 70 ? "1" : "3"
          }
        })
  }

  @Test("A FITS table has stamps as vectors of two axes, and NaN for others' pixels")
  func fits() async throws {
    let table = try await table([.number, .stamp])
    let text = String(decoding: try table.fits().prefix(5760), as: UTF8.self)
    #expect(text.contains("TFORM2  = '1620E   '") && text.contains("TDIM2   = '(36,45) '"))
    #expect(table.context.stampPixels.contains { $0.isNaN })
    for format in [CatalogFormat.csv, .ecsv] {
      #expect(throws: InvalidScan.self) { try format.data(of: table) }
      try format.check([.number])
    }
    _ = try CatalogFormat.fits.data(of: table)
    _ = try CatalogFormat.regions.data(of: table)
  }

  // MARK: Cuts

  /// A crowded sky with gaps, and its weights.
  private struct Field {
    let image: FITSImage
    let weights: FITSImage
    private let folder: TemporaryFolder

    init() async throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      let (width, height) = (400, 300)
      let sky = try SyntheticSky(width: width, height: height, starCount: 160)
      var values = IteratorSequence(SkyBands(sky, rowsPerBand: nil)).joined().map { Float($0) }
      for row in 0..<height { values[row * width + 70] = .nan }
      let weights = values.indices.map { index in
        let (column, row) = (index % width, index / width)
        let isBlock = (250..<290).contains(column) && (60..<125).contains(row)
        return column == 128 || isBlock || index % 97 == 0 ? Float(0) : 1 + Float(column) / 400
      }
      func write(_ name: String, _ values: [Float]) async throws -> FITSImage {
        let unit = FITSUnit(bitpix: -32, axes: [width, height], data: bigEndian(values))
        return try await FITSImage.open(try folder.write(name, unit.bytes))
      }
      image = try await write("sky.fits", values)
      self.weights = try await write("weights.fits", weights)
    }

    func catalog(
      side: Int, halo: Int, _ stamp: Stamp, kron: Bool, maximumExtent: Int, weighted: Bool
    ) async throws -> Data {
      var settings = SourceScan.Settings(
        grid: try SectorGrid(width: image.width, height: image.height, side: side, halo: halo),
        coding: image.coding)
      (settings.threshold, settings.minimumArea, settings.cleaning) = (0.9, 3, 1)
      (settings.apertures, settings.stamp) = ([], stamp)
      (settings.interpolates, settings.maximumExtent) = (weighted, maximumExtent)
      if kron { settings.kron = .init() }
      settings.measures = .componentEnds
      var job = try ImageJob(
        image: image, weights: weighted ? weights : nil, settings: settings)
      try await scanAll(&job, backwards: side < 512)
      let table = try await job.table([.number, .x, .y, .flags, .parent, .stamp])
      #expect(table.rowCount > 80 && table.rowCount < job.catalog.sources.count)
      return try table.fits()
    }
  }

  @Test(
    "Every cut gives the same stamps and components, also where cleaning drops a neighbour",
    arguments: [(64, 52), (192, 64)], [2048, 12])
  func cuts(cut: (side: Int, halo: Int), maximumExtent: Int) async throws {
    let field = try await Field()
    for (stamp, kron, weighted) in [
      (Stamp(width: 35, height: 24), false, false), (Stamp(width: 3, height: 131), true, true),
    ] {
      func catalog(_ side: Int, _ halo: Int) async throws -> Data {
        try await field.catalog(
          side: side, halo: halo, stamp, kron: kron, maximumExtent: maximumExtent,
          weighted: weighted)
      }
      #expect(try await catalog(cut.side, cut.halo) == catalog(512, 64))
    }
  }

  @Test("An image in one task has the same stamps")
  func oneTask() async throws {
    let field = try await Field()
    var tables: [Data] = []
    for runsInOneTask in [false, true] {
      var settings = SourceScan.Settings(
        grid: try SectorGrid(width: 400, height: 300, side: 512), coding: field.image.coding)
      (settings.threshold, settings.cleaning) = (0.9, 1)
      settings.stamp = Stamp(width: 21, height: 21)
      var job = try ImageJob(image: field.image, settings: settings)
      job.runsInOneTask = runsInOneTask
      try await scanAll(&job)
      tables.append(try await job.table([.number, .stamp]).fits())
    }
    #expect(tables[0] == tables[1])
  }

  @Test("Stamps of too many pixels are refused before the image is read")
  func tooMany() async throws {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 64, height: 64, starCount: 16)
    var settings = SourceScan.Settings(
      grid: try SectorGrid(width: 64, height: 64, side: 64), coding: image.coding)
    settings.stamp = Stamp(width: 512, height: 512)
    var job = try ImageJob(image: image, settings: settings)
    try await scanAll(&job)
    let source = try #require(job.catalog.sources.first)
    await #expect(throws: InvalidScan.self) {
      try await job.stampPixels(of: [Source](repeating: source, count: 5000))
    }
    #expect(try await job.stampPixels(of: [source]).count == 512 * 512)
  }
}
