import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// World coordinates of images, beside those of `source-extractor` 2.25 for the same headers. It tells
/// the pixels' positions with four decimals.
@Suite("World places")
struct WorldPlacesTests {
  private static let tangent = [
    "CTYPE1": "'RA---TAN'", "CTYPE2": "'DEC--TAN'", "CRPIX1": "210.0", "CRPIX2": "200.0",
    "CRVAL1": "150.0", "CRVAL2": "-2.5", "CD1_1": "-0.0001", "CD1_2": "0.0", "CD2_1": "0.0",
    "CD2_2": "0.0001", "EQUINOX": "2000.0",
  ]
  private static let place = PixelPosition(x: 381.4284, y: 21.3487)

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func image(_ cards: [String: String]) async throws -> FITSImage {
    let unit = FITSUnit(
      bitpix: 8, axes: [3, 3], cards.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      data: [UInt8](repeating: 0, count: 9))
    return try await FITSImage.open(try folder.write("a.fits", unit.bytes))
  }

  @Test(
    "Places of the sky are equatorial, along the axes in their order",
    arguments: [
      ([:], WorldSystem.Axes.longitudeFirst, 149.982840600, -2.517865014),
      (
        ["CTYPE1": "'GLON-TAN'", "CTYPE2": "'GLAT-TAN'"], .longitudeFirst, 58.467167338,
        50.518396423
      ),
      (
        ["CTYPE1": "'ELON-TAN'", "CTYPE2": "'ELAT-TAN'"], .longitudeFirst, 151.17706711,
        9.1194829552
      ),
      (
        [
          "CTYPE1": "'DEC--TAN'", "CTYPE2": "'RA---TAN'", "CRVAL1": "-2.5", "CRVAL2": "150.0",
        ], .latitudeFirst, -2.5171427143, 149.98211762
      ),
    ])
  func sky(_ cards: [String: String], _ axes: WorldSystem.Axes, _ x: Double, _ y: Double)
    async throws
  {
    let image = try await image(Self.tangent.merging(cards) { $1 })
    let (places, jacobians) = try await image.jacobians([Self.place])
    let (position, jacobian) = (try #require(places.positions[0]), try #require(jacobians[0]))
    #expect(places.system == WorldSystem(axes: axes))
    #expect(abs(position.x - x) < 1e-7 && abs(position.y - y) < 1e-7)
    // ISOAREA_WORLD / ISOAREA_IMAGE
    #expect(abs(jacobian.area / 1e-8 - 1) < 1e-6)
  }

  @Test(
    "A place that is not in the sky counts from the first pixel, or as the header says",
    arguments: [
      ([:], 380.4284, 1.0), (["CRPIX1": "10.0", "CDELT1": "2.0", "CRVAL1": "5.0"], 747.8568, 2.0),
    ])
  func linear(_ cards: [String: String], _ x: Double, _ scale: Double) async throws {
    let (places, jacobians) = try await image(cards).jacobians([Self.place])
    let (position, jacobian) = (try #require(places.positions[0]), try #require(jacobians[0]))
    #expect(!places.system.isInSky && places.system.j2000(position) == nil)
    #expect(abs(position.x - x) < 1e-9 && abs(position.y - 20.3487) < 1e-9)
    #expect(abs(jacobian.area - scale) < 1e-9)
    // X2_WORLD and Y2_WORLD have half of the mixed term, as SExtractor's.
    let moments = Jacobian(xx: 2, xy: 1, yx: 0, yy: 1).moments(xx: 3, yy: 5, xy: 0.5)
    #expect(moments.xx == 18 && moments.yy == 5 && moments.xy == 6)
  }

  @Test("Moments become those along the world's axes, with SExtractor's ellipse")
  func moments() async throws {
    let skew = ["CD1_1": "-0.0002", "CD1_2": "3E-05", "CD2_1": "5E-05", "CD2_2": "0.0001"]
    let (places, jacobians) = try await image(Self.tangent.merging(skew) { $1 })
      .jacobians([Self.place])
    let moments = try #require(jacobians[0])
      .moments(xx: 2.5337009977, yy: 2.5358413497, xy: -1.0015771772e-02)
    func isNear(_ value: Double, _ expected: Double) -> Bool {
      abs(value / expected - 1) < 1e-6
    }
    #expect(isNear(moments.xx, 1.0368921545e-07) && isNear(moments.yy, 3.1643644032e-08))
    #expect(isNear(moments.xy, -1.7546379647e-08))
    #expect(isNear(moments.major, 0.0003282306) && isNear(moments.minor, 0.0001661251))
    #expect(isNear(moments.conic.xx, 3.1643644e-02) && isNear(moments.conic.yy, 1.0368922e-01))
    #expect(isNear(moments.conic.xy, 3.5092410e-02))
    #expect(abs(moments.angle + 12.99) < 0.006)
    let angle = places.system.skyAngle(moments.angle)
    #expect(abs(angle + 77.01) < 0.006)
    let place = try #require(places.positions[0])
    #expect(places.system.j2000Angle(angle, at: place) == angle)
    #expect(abs(places.system.b1950Angle(angle, at: place) + 76.87) < 0.006)
  }

  @Test("Near the pole, moments turn as the pixels lie there")
  func nearPole() async throws {
    let cards = [
      "CRVAL2": "89.5", "CD1_1": "-0.002", "CD1_2": "3E-04", "CD2_1": "5E-04", "CD2_2": "0.001",
    ]
    let (places, jacobians) = try await image(Self.tangent.merging(cards) { $1 })
      .jacobians([PixelPosition(x: 619.4750833350257, y: 477.38815039928687)])
    let (place, jacobian) = (try #require(places.positions[0]), try #require(jacobians[0]))
    let moments = jacobian.moments(
      xx: 1.4933066749482737, yy: 1.5759290559929822, xy: -0.015772488459021794)
    func isNear(_ value: Double, _ expected: Double) -> Bool {
      abs(value / expected - 1) < 1e-6
    }
    #expect(abs(place.x - 61.39263537006141) < 1e-7 && abs(place.y - 89.2641153787039) < 1e-7)
    #expect(isNear(jacobian.area, 5.803552994620986e-05 / 27))
    #expect(isNear(moments.xx, 1.9910726797850183e-06))
    #expect(isNear(moments.yy, 6.071025541310645e-06))
    #expect(isNear(moments.xy, 1.088211927358043e-06))
    #expect(abs(moments.angle - 75.9613037109375) < 1e-4)
  }

  @Test(
    "A header has a sky fault if J2000 positions do not follow from it",
    arguments: [
      ([:], true), (["EQUINOX": "1950.0"], true),
      (["RADESYS": "'FK5'", "EQUINOX": "1975.0"], true),
      (["CTYPE1": "'GLON-TAN'", "CTYPE2": "'GLAT-TAN'"], true),
      (["CTYPE1": "'HLON-TAN'", "CTYPE2": "'HLAT-TAN'"], false), (["RADESYS": "'GAPPT'"], false),
      (["CTYPE1": "'LINEAR'", "CTYPE2": "'LINEAR'"], false),
    ])
  func skyFault(_ cards: [String: String], isInSky: Bool) async throws {
    let fault = try await image(Self.tangent.merging(cards) { $1 }).skyFault
    #expect((fault == nil) == isInSky)
  }

  @Test("An angle is folded, and 45 where no axis is longer")
  func angles() {
    #expect(WorldMoments(xx: 1, yy: 1, xy: -0.5).angle == 45)
    #expect(WorldSystem(axes: .longitudeFirst).skyAngle(-10) == -80)
    #expect(WorldSystem(axes: .longitudeFirst).skyAngle(48) == 42)
    #expect(WorldSystem(axes: .latitudeFirst).skyAngle(48) == 48)
    #expect(WorldSystem(axes: .other).skyAngle(48) == 0)
  }

  @Test("A difference of longitudes takes the shorter way")
  func wrap() {
    let jacobian = WorldSystem(axes: .longitudeFirst).jacobian(
      at: WorldPosition(x: 0.25, y: 60), right: WorldPosition(x: 359.75, y: 60),
      up: WorldPosition(x: 0.25, y: 60.5))
    #expect(abs(jacobian.xx + 0.25) < 1e-12 && jacobian.xy == 0)
    #expect(jacobian.yx == 0 && jacobian.yy == 0.5)
  }

  @Test("A header tells the frame and the equinox")
  func frames() async throws {
    for (cards, equinox, isFK4) in [
      (["RADESYS": "'FK5'", "EQUINOX": "1975.0"], 1975.0, false),
      (["RADESYS": "'FK4'", "EQUINOX": "1950.0"], 1950, true), (["EQUINOX": "1950.0"], 1950, true),
      (["RADESYS": "'ICRS'", "EQUINOX": "1950.0"], 2000, false),
    ] {
      let places = try await image(Self.tangent.merging(cards) { $1 }).world([])
      #expect(
        places.system == WorldSystem(axes: .longitudeFirst, equinox: equinox, isFK4: isFK4))
    }
  }

  @Test("A reader process tells the same, however many places there are")
  func reader() async throws {
    let unit = FITSUnit(
      bitpix: 8, axes: [3, 3], Self.tangent.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      data: [UInt8](repeating: 0, count: 9))
    let path = try folder.write("b.fits", unit.bytes)
    let places = (0..<25_000).map { PixelPosition(x: Double($0 % 400), y: Double($0 / 400)) }
    let here = try await FITSImage.open(path).world(places)
    let readers = ReaderProcess(StandInSource())
    defer { readers.end() }
    let image = try await FITSImage.open(path, reader: readers)
    #expect(try await image.world(places) == here)
    #expect(try await image.world([]) == WorldPlaces(system: here.system, positions: []))
  }
}
