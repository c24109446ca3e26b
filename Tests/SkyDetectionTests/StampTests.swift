import Testing

@testable import SkyDetection

@Suite("Which pixels of a stamp belong to other sources")
struct StampTests {
  private typealias Stamp = DetectionSettings.Stamp

  /// The first star's stamp, which has pixels of the second one.
  private func outcome(
    _ stamp: Stamp, in cut: PixelRectangle? = nil
  ) throws -> MeterOutcome<Source.StampMask> {
    var made = try MadeField(isWeighted: true, hasHoles: true, cut: cut)
    let number = try #require(made.sources.firstIndex { abs($0.x - 27.3) < 0.1 })
    let mask = made.mask(for: number)
    return StampMeter(stamp: stamp, field: made.field)
      .measure(made.sources[number], in: made.plane, mask)
  }

  private func source(_ x: Double, _ y: Double) -> Source {
    Source(
      component: PixelPlace(row: 0, column: 0), part: 0, x: x, y: y, xx: 1, yy: 1, xy: 0, flux: 1,
      variance: 1, isophotal: IsophotalMeasures(), xMin: 1, yMin: 1, xMax: 1, yMax: 1, flags: [],
      apertureFluxes: [])
  }

  /// SExtractor 2.25 has these pixels in stamps of sources at such places.
  @Test("A stamp's first pixel follows from the centre as in SExtractor")
  func box() {
    let odd = Stamp(width: 9, height: 7).box(of: source(61.36189, 51.229248))
    #expect(odd == PixelBox(columns: 56..<65, rows: 47..<54))
    let even = Stamp(width: 4, height: 2).box(of: source(67.733696, 53.5))
    #expect(even == PixelBox(columns: 65..<69, rows: 51..<53))
    let edge = Stamp(width: 9, height: 1).box(of: source(1.2, 1))
    #expect(edge == PixelBox(columns: -4..<5, rows: 0..<1))
  }

  @Test("A stamp tells the pixels of other sources, and neither its own nor the sky's")
  func others() throws {
    let stamp = Stamp(width: 35, height: 21)
    let mask = try #require(try outcome(stamp).measures)
    let (made, box) = (try MadeField(), stamp.box(of: source(27.3, 31.6)))
    let other = try #require(made.sources.first { abs($0.x - 40.2) < 0.2 }).box
    let set = (0..<stamp.pixelCount).filter { mask[$0] }
    #expect(!set.isEmpty && mask.isSound(stamp))
    for index in set {
      let column = box.columns.lowerBound + index % stamp.width
      let row = box.rows.lowerBound + index / stamp.width
      #expect(other.columns.contains(column) && other.rows.contains(row))
    }
  }

  @Test("A part of the image has the same stamp, or names a box that suffices")
  func part() throws {
    let stamp = Stamp(width: 35, height: 21)
    let whole = try #require(try outcome(stamp).measures)
    let part = try outcome(stamp, in: PixelRectangle(x: 6, y: 15, width: 58, height: 40))
    #expect(part.measures == whole)
    guard
      case .needs(let box) = try outcome(
        stamp, in: PixelRectangle(x: 20, y: 23, width: 44, height: 21))
    else {
      Issue.record("a part of the stamp's pixels was enough")
      return
    }
    #expect(box == stamp.box(of: source(27.3, 31.6)))
  }

  @Test("What stamps need is within the room that a component is given")
  func room() throws {
    var settings = DetectionSettings()
    (settings.apertures, settings.stamp) = ([], Stamp(width: 101, height: 40))
    try settings.check()
    #expect(settings.measuresSurroundings && settings.measuresBeyondMargin)
    let own = PixelBox(columns: 300..<310, rows: 200..<220)
    let around = own.grown(by: settings.room(around: own) + 2)
    for (x, y) in [(300.5, 200.5), (310.4, 220.4), (305, 210)] {
      let needed = Stamp(width: 101, height: 40).box(of: source(x, y)).grown(by: settings.reach + 2)
      #expect(around.union(needed) == around)
      #expect(source(x, y).reach(settings) == Stamp(width: 101, height: 40).box(of: source(x, y)))
    }
  }

  @Test(
    "A size out of range is refused by name", arguments: [(0, 5), (5, 0), (513, 5), (5, Int.max)])
  func sizes(width: Int, height: Int) {
    var settings = DetectionSettings()
    settings.stamp = Stamp(width: width, height: height)
    let fault = #expect(throws: InvalidScan.self) { try settings.check() }
    #expect(fault?.description.hasPrefix("VIGNET(\(width),\(height)): 1 to 512") == true)
  }

  @Test("A mask has a bit for each pixel, and no others")
  func masks() {
    let stamp = Stamp(width: 3, height: 3)
    var mask = Source.StampMask(stamp)
    #expect(mask.bits == [0, 0] && mask.isSound(stamp))
    mask.insert(8)
    mask.insert(1)
    #expect(mask.bits == [2, 1] && mask[8] && mask[1] && !mask[0])
    #expect(!Source.StampMask(bits: [0, 2]).isSound(stamp))
    #expect(!Source.StampMask(bits: [0]).isSound(stamp))
  }

  /// Two stars far apart, the second one without its pixels.
  @Test("The pixels of a source that was dropped belong to no source")
  func dropped() throws {
    let grid = SectorGrid(uncutWidth: 64, height: 64)
    var settings = DetectionSettings()
    (settings.stamp, settings.apertures) = (Stamp(width: 25, height: 9), [])
    var values = [Float](repeating: 0, count: 64 * 64)
    for (column, row) in [(20, 30), (28, 30)] {
      for y in -2...2 { for x in -2...2 { values[(row + y) * 64 + column + x] = 500 } }
    }
    let patch = PixelRectangle(x: 0, y: 0, width: 64, height: 64)
    let background = Background(
      levels: MeshGrid(columns: 1, rows: 1, values: [0]), noise: 1, mesh: 64)
    func scan() throws -> PatchScan {
      try PatchScan(
        Plane(width: 64, height: 64, values: values), at: patch,
        over: background.patch(of: patch), of: grid, settings: settings)
    }
    let first = try scan()
    let found = try first.wholeSources()
    #expect(found.count == 2)
    let before = try #require(found[0].stampMask)
    #expect((0..<225).contains { before[$0] })
    let second = try scan()
    let after = try second.sources(
      of: [found[0].component],
      without: [DroppedSources(component: found[1].component, parts: [0])])
    #expect(after.count == 1 && after[0].stampMask?.bits.allSatisfy { $0 == 0 } == true)
    #expect(after[0].isSame(as: found[0]))
  }
}
