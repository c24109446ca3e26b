import Foundation
import SkyNetCore
import SkyTestSupport
import TestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

@Suite("Source scans", .ownThreads)
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
    let list = SourceList(sources + [plain])
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
      kron: Source.KronFlux(radius: 19, flux: 20),
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
      Array(writer.bytes) == [1, 15, 10, 0]
        + little([1, 2, 3, 12, 13, 14, 15, 16, 17] as [Int32])
        + doubles([4, 5, 6, 7, 8, 9, 10]) + floats([11, 25]) + little([26, 27] as [Int32])
        + doubles([18, 19, 20, 21])
        + floats([22, 23]) + little([24] as [Int32]))
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
        "apertures", "cleaning", "coding", "deblendContrast", "deblendLevels", "gain", "grid",
        "interpolates", "kernel", "maximumExtent", "meshSide", "minimumArea", "scalesGain",
        "threshold", "weightCoding",
      ])
    #expect(try JSONDecoder().decode(SourceScan.Settings.self, from: json) == settings)
  }

  /// The nodes are 64-bit numbers, little-endian, beside the JSON.
  @Test("The format of a background in a message is unchanged")
  func background() throws {
    let levels = MeshGrid(columns: 2, rows: 1, values: [1, -2])
    let patch = Background(levels: levels, noise: 3, meshSide: 64)
      .patch(of: PixelRectangle(x: 0, y: 0, width: 100, height: 9))
    let writer = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = writer
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(patch)
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"columnCount":2,"firstColumn":0,"firstRow":0,"meshSide":64,"nodes":{"count":64,"offset":0},\
        "noise":3,"rowCount":1,"unitNoise":3}
        """)
    #expect(
      Array(writer.bytes.prefix(16)) == [0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 192])
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(writer.bytes)
    #expect(try decoder.decode(BackgroundPatch.self, from: json) == patch)
  }
}
