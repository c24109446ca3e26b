import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

@Suite("Source scans")
struct SourceScanTests {
  let scan = SourceScan()

  private func sources(_ values: [Float]) throws -> [Source] {
    var settings = DetectionSettings()
    settings.kron = DetectionSettings.Kron()
    settings.cleaning = 1
    return try SourceDetector(settings).sources(in: values, width: 64, height: 64)
  }

  /// Noise about 100 with a deviation of 1, and one star with its centre at column 20, row 30 from
  /// 0.
  private func starField(width: Int = 64, height: Int = 64) -> [Float] {
    var random = SplitMix64(seed: 3)
    return (0..<width * height).map { index in
      let (dx, dy) = (Double(index % width - 20), Double(index / width - 30))
      return Float(100 + random.nextNormal() + 500 * exp(-(dx * dx + dy * dy) / 4))
    }
  }

  @Test("A cancelled scan ends")
  func cancelled() async throws {
    let patch = floatPatch(width: 64, height: 64, starField())
    let settings = try floatSettings(width: 64, height: 64)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await scan.run(SourceScan.Sector(.background(patch)), settings: settings)
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test(
    "A patch with an impossible place is refused",
    arguments: [
      (0, 0, 0, 64), (0, 0, 64, -1), (0, 0, 64, 63), (0, 0, 4609, 1), (0, 0, Int.max, Int.max),
      (-1, 0, 64, 64), (Int.max, 0, 64, 64), (1, 0, 64, 64),
    ])
  func place(x: Int, y: Int, width: Int, height: Int) async throws {
    var patch = floatPatch(width: 64, height: 64, starField())
    patch.rectangle = PixelRectangle(x: x, y: y, width: width, height: height)
    let settings = try floatSettings(width: 64, height: 64)
    let wrong = patch
    await #expect(throws: InvalidScan.self) {
      _ = try await scan.run(SourceScan.Sector(.background(wrong)), settings: settings)
    }
  }

  @Test("Sources are sent beside the JSON")
  func sourceList() throws {
    let sources = try sources(starField())
    var plain = try #require(sources.first)
    (plain.kron, plain.cleaning, plain.apertureFluxes) = (nil, nil, [])
    var local = plain
    local.localBackground = -1.5
    let list = SourceList(sources + [plain, local])
    let writer = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = writer
    let json = try encoder.encode(list)
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(writer.bytes)
    #expect(try decoder.decode(SourceList.self, from: json) == list)
    let cut = try JSONEncoder().encode(BulkBytes(writer.bytes.dropLast()))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(SourceList.self, from: cut) }
    let none = try JSONEncoder().encode(BulkBytes(Data(repeating: 255, count: 300)))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(SourceList.self, from: none) }
  }

  /// A source with a different number in each place.
  private var known: Source {
    var isophotal = IsophotalMeasures(peak: 11, area: 12, isophotalArea: 13)
    (isophotal.smoothedPeak, isophotal.xPeak, isophotal.yPeak) = (25, 26, 27)
    return Source(
      component: PixelPlace(row: 1, column: 2), part: 3, x: 4, y: 5, xx: 6, yy: 7, xy: 8, flux: 9,
      variance: 10, isophotal: isophotal, xMin: 14, yMin: 15, xMax: 16, yMax: 17,
      flags: [.blended, .truncated], apertureFluxes: [18],
      kron: Source.EllipseFlux(radius: 19, flux: 20),
      cleaning: CleaningMeasures(flux: 21, threshold: 22, height: 23, slopeArea: 24))
  }

  private func sortedJSON(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("The format of a known source in a message is unchanged")
  func knownSource() throws {
    let json = try sortedJSON(known)
    #expect(
      json == """
        {"apertureFluxes":[18],"area":12,"cleaning":{"flux":21,"height":23,"slopeArea":24,\
        "threshold":22},"component":{"column":2,"row":1},"flags":10,"flux":9,"isophotalArea":13,\
        "kron":{"flux":20,"radius":19},"part":3,"peak":11,"smoothedPeak":25,"variance":10,"x":4,\
        "xMax":16,"xMin":14,"xPeak":26,"xx":6,"xy":8,"y":5,"yMax":17,"yMin":15,"yPeak":27,"yy":7}
        """)
    #expect(try JSONDecoder().decode(Source.self, from: Data(json.utf8)) == known)
  }

  @Test("A local background is sent with a source, and refused where none was asked for")
  func localBackground() throws {
    var source = known
    source.localBackground = -1.5
    let json = try sortedJSON(source)
    #expect(json.contains(#""localBackground":-1.5"#))
    #expect(try JSONDecoder().decode(Source.self, from: Data(json.utf8)) == source)
    var settings = try floatSettings(width: 64, height: 64)
    (settings.kron, settings.cleaning) = (DetectionSettings.Kron(), 1)
    #expect(known.isSound(settings) && !source.isSound(settings))
    settings.localThickness = 24
    #expect(source.isSound(settings))
    source.localBackground = .infinity
    #expect(!source.isSound(settings))
    // Cleaning measures no sky again.
    var again = known
    again.localBackground = 2
    #expect(!again.isMeasuredAgain(as: known))
  }

  @Test("The format of the sums of a fragment in a message is unchanged")
  func exactSums() throws {
    var sums = ExactSums()
    sums.add(
      MeasuredPixel(
        place: PixelPlace(row: 3, column: 2), value: 2, smoothed: 1, isOverThreshold: true),
      isSaturated: true, variance: 1, noise: 1)
    let json = try sortedJSON(sums)
    #expect(
      json == """
        {"area":1,"flux":131072,"isSaturated":true,"isophotalArea":1,"peak":2,"smoothedPeak":1,\
        "variance":65536,"weight":65536,"x":131072,"xPeak":3,"xx":262144,"xy":393216,"y":196608,\
        "yPeak":4,"yy":589824}
        """)
    #expect(try JSONDecoder().decode(ExactSums.self, from: Data(json.utf8)) == sums)
  }

  @Test("The bytes of sources in a message are unchanged")
  func sourceBytes() throws {
    let writer = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = writer
    _ = try encoder.encode(SourceList([known]))
    func little(_ numbers: some Sequence<some FixedWidthInteger>) -> [UInt8] {
      numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    }
    func doubles(_ numbers: [Double]) -> [UInt8] { little(numbers.map(\.bitPattern)) }
    func floats(_ numbers: [Float]) -> [UInt8] { little(numbers.map(\.bitPattern)) }
    #expect(
      Array(writer.bytes) == [1, 0, 0, 15, 0, 10, 0]
        + little([1, 2, 3, 12, 13, 14, 15, 16, 17] as [Int32])
        + doubles([4, 5, 6, 7, 8, 9, 10]) + floats([11, 25]) + little([26, 27] as [Int32])
        + doubles([18, 19, 20, 21])
        + floats([22, 23]) + little([24] as [Int32]))
  }

  /// The source with all groups, and again a different number in each place.
  private var grouped: Source {
    var source = known
    source.apertureVariances = [28]
    source.kron?.variance = 29
    source.petrosian = Source.EllipseFlux(radius: 30, flux: 31, variance: 32)
    source.fluxRadii = [33, 34]
    source.positionErrors = Source.PositionErrors(xx: 35, yy: 36, xy: 37)
    source.profile = Source.Profile(areas: Array(38...45), fwhm: 46)
    source.thresholds = Source.SourceThresholds(detection: 47, analysis: 48)
    source.window = Source.WindowMeasures(
      x: 49, y: 50, xx: 51, yy: 52, xy: 53,
      errors: Source.PositionErrors(xx: 54, yy: 55, xy: 56), flux: 57, variance: 58,
      iterations: 59, flags: .noFlux, reach: 60)
    source.weightCounts = Source.LowWeights(low: 61, steep: 62)
    source.stampMask = Source.StampMask(bits: [63, 1])
    source.componentEnd = PixelPlace(row: 64, column: 65)
    return source
  }

  @Test("All groups of a source come through a message within the limit")
  func groups() throws {
    let writer = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = writer
    let list = SourceList([grouped, known, grouped])
    let json = try encoder.encode(list)
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(writer.bytes)
    #expect(try decoder.decode(SourceList.self, from: json) == list)
    #expect(
      try JSONDecoder().decode(Source.self, from: JSONEncoder().encode(grouped)) == grouped)
    var settings = try floatSettings(width: 64, height: 64)
    (settings.kron, settings.petrosian, settings.cleaning) = (.init(), .init(), 1)
    (settings.fluxFractions, settings.measures) = (
      [0.5, 0.8], DetectionSettings.Measures(rawValue: 127)
    )
    settings.stamp = DetectionSettings.Stamp(width: 3, height: 3)
    try settings.check()
    let one = BulkWriter()
    encoder.userInfo[.bulkWriter] = one
    _ = try encoder.encode(SourceList([grouped]))
    #expect(one.bytes.count == SourceList.limit(of: 1, settings))
    #expect(one.bytes.count == 393)
  }

  @Test("A group that nobody asked for is no sound measure of a source")
  func unasked() throws {
    var settings = try floatSettings(width: 64, height: 64)
    (settings.kron, settings.petrosian, settings.cleaning) = (.init(), .init(), 1)
    (settings.fluxFractions, settings.measures) = (
      [0.5, 0.8], DetectionSettings.Measures(rawValue: 127)
    )
    settings.stamp = DetectionSettings.Stamp(width: 3, height: 3)
    var source = grouped
    source.isophotal.area = 100
    #expect(source.isSound(settings))
    let unasked: [(inout DetectionSettings) -> Void] =
      [{ $0.kron = nil }, { $0.petrosian = nil }, { $0.fluxFractions = [] }, { $0.stamp = nil }]
      + (0..<7).map { bit in { $0.measures.subtract(.init(rawValue: 1 << bit)) } }
    for change in unasked {
      var fewer = settings
      change(&fewer.detection)
      #expect(!source.isSound(fewer))
    }
    let changes: [(inout Source) -> Void] = [
      { $0.apertureVariances = [] }, { $0.apertureVariances = [-1] }, { $0.kron?.variance = -1 },
      { $0.petrosian?.flux = .nan }, { $0.fluxRadii = [1] }, { $0.fluxRadii = [1, .infinity] },
      { $0.positionErrors?.xy = .nan }, { $0.profile?.areas = [] },
      { $0.profile?.areas[7] = 101 }, { $0.profile?.fwhm = .nan },
      { $0.thresholds?.detection = .infinity }, { $0.window?.errors.xx = .nan },
      { $0.window?.iterations = -1 }, { $0.weightCounts?.low = -1 },
      { $0.weightCounts?.steep = 101 }, { $0.stampMask?.bits = [63] },
      { $0.stampMask?.bits[1] = 3 },
    ]
    for change in changes {
      var impossible = source
      change(&impossible)
      #expect(!impossible.isSound(settings))
    }
  }

  @Test("Pixels are sent beside the JSON")
  func pixels() throws {
    let patch = floatPatch(x: 64, width: 64, height: 64, starField())
    let sector = SourceScan.Sector(.background(patch))
    let writer = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = writer
    let json = try encoder.encode(sector)
    #expect(writer.bytes == patch.pixels.bytes)
    #expect(json.count < 300)
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(writer.bytes)
    #expect(try decoder.decode(SourceScan.Sector.self, from: json) == sector)
    // A reader without bulk bytes gets the pixels within the JSON.
    let whole = try JSONEncoder().encode(sector)
    #expect(try JSONDecoder().decode(SourceScan.Sector.self, from: whole) == sector)
  }

  @Test("Missing or wrong weights are refused")
  func weights() throws {
    let patch = floatPatch(width: 64, height: 64, starField())
    var settings = try floatSettings(width: 64, height: 64)
    settings.weightCoding = PixelCoding(format: .float32)
    #expect(throws: InvalidScan.self) {
      try scan.findings(in: .background(patch), settings: settings)
    }
    var weighted = patch
    weighted.weights = patch.pixels
    settings.weightCoding = PixelCoding(format: .uint8)
    #expect(throws: InvalidScan.self) {
      try scan.findings(in: .background(weighted), settings: settings)
    }
    settings.weighting.kind = .background
    #expect(throws: InvalidScan.self) { try settings.check() }
    settings.weightCoding = nil
    #expect(throws: Never.self) { try settings.check() }
  }

  @Test("Where the background's noise stands for weights, its nodes are in messages too")
  func noiseNodes() throws {
    var meshes = MeshEstimates(columns: 3, rows: 2)
    meshes.values = (1...6).map { MeshSky(level: 100, noise: Double($0)) }
    let rectangle = PixelRectangle(x: 20, y: 0, width: 100, height: 90)
    var settings = DetectionSettings()
    let plain = Background(meshes, settings).patch(of: rectangle)
    #expect(plain.noiseNodes.isEmpty)
    settings.weighting.kind = .background
    let patch = Background(meshes, settings).patch(of: rectangle)
    #expect(patch.noiseNodes.count == patch.nodes.count)
    let writer = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = writer
    #expect(String(decoding: try encoder.encode(patch), as: UTF8.self).contains("noiseNodes"))
    let text = try JSONEncoder().encode(patch)
    #expect(try JSONDecoder().decode(BackgroundPatch.self, from: text) == patch)
    var cut = patch
    cut.noiseNodes.removeLast()
    #expect(throws: InvalidScan.self) { try cut.check() }
  }

  /// Peers of this version of the scan have always sent settings in this form.
  @Test("The JSON of settings has all members side by side")
  func settings() throws {
    var settings = try floatSettings(width: 64, height: 64)
    settings.cleaning = 1
    settings.weightCoding = PixelCoding(format: .uint8, blank: 7)
    let json = try JSONEncoder().encode(settings)
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "apertures", "cleaning", "coding", "deblendContrast", "deblendLevels", "fluxFractions",
        "gain",
        "grid", "interpolates", "isAnalysisThresholdAbsolute", "isThresholdAbsolute", "kernel",
        "leastCircles", "masking", "maximumArea", "maximumExtent", "measures", "mesh", "meshFilter",
        "minimumArea", "scalesGain", "threshold", "weightCoding", "weighting",
      ])
    #expect(try JSONDecoder().decode(SourceScan.Settings.self, from: json) == settings)
  }

  /// The nodes are 64-bit numbers, little-endian, beside the JSON.
  @Test("The format of a background in a message is unchanged")
  func background() throws {
    let levels = MeshGrid(columns: 2, rows: 1, values: [1, -2])
    let patch = Background(levels: levels, noise: 3, mesh: 64)
      .patch(of: PixelRectangle(x: 0, y: 0, width: 100, height: 9))
    let writer = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = writer
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(patch)
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"columnCount":2,"firstColumn":0,"firstRow":0,"mesh":[64,64],"nodes":{"count":64,"offset":0},\
        "noise":3,"rowCount":1,"unitNoise":3}
        """)
    #expect(
      Array(writer.bytes.prefix(16)) == [0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 192])
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(writer.bytes)
    #expect(try decoder.decode(BackgroundPatch.self, from: json) == patch)
  }
}
