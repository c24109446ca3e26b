import Testing

@testable import SkyFITS

@Suite("Frames of the sky")
struct SkyFramesTests {
  /// ALPHA_J2000 … DELTA_B1950 of `source-extractor` 2.25.
  @Test(
    "Positions are precessed",
    arguments: [
      (2000, 149.9828406, -2.5178650, 149.9828406, -2.5178650, 149.3480884, -2.2776332),
      (1975, 149.9978681, -2.4818631, 150.3150766, -2.6025995, 149.6804879, -2.3615296),
    ])
  func precession(
    _ equinox: Double, _ x: Double, _ y: Double, _ x2000: Double, _ y2000: Double,
    _ x1950: Double, _ y1950: Double
  ) throws {
    let system = WorldSystem(axes: .longitudeFirst, equinox: equinox)
    let place = WorldPosition(x: x, y: y)
    #expect(isNear(try #require(system.j2000(place)), x2000, y2000, 1e-7))
    #expect(isNear(try #require(system.b1950(place)), x1950, y1950, 1e-7))
    #expect(system.sky(place) == SkyPosition(rightAscension: x, declination: y))
  }

  /// The position of astropy 8.0. SExtractor only precesses, and is 0.3″ off.
  @Test("A position in FK4 is converted, and converted back")
  func fk4() throws {
    let system = WorldSystem(axes: .latitudeFirst, equinox: 1950, isFK4: true)
    let place = WorldPosition(x: -2.4818631, y: 149.9978681)
    #expect(isNear(try #require(system.j2000(place)), 150.6322069, -2.7237267, 1e-6))
    #expect(isNear(try #require(system.b1950(place)), 149.9978681, -2.4818631, 1e-8))
  }

  /// The angles of astropy 8.0, with the other sign in SExtractor.
  @Test(
    "North of another frame stands at an angle",
    arguments: [(149.9978681, -2.4818631, 0.06933, 1e-4), (224.6682625, 89.991589, -42.4898, 2e-3)])
  func turn(_ x: Double, _ y: Double, _ angle: Double, _ tolerance: Double) {
    let system = WorldSystem(axes: .longitudeFirst, equinox: 1975)
    #expect(abs(system.turnToJ2000(at: WorldPosition(x: x, y: y)) - angle) < tolerance)
  }

  /// THETA_J2000 and THETA_B1950 of `source-extractor` 2.25 for a THETA_SKY of 2.98802.
  @Test(
    "Angles from the north of another frame are SExtractor's",
    arguments: [
      (WorldSystem(axes: .longitudeFirst), 2.98802, 3.79026),
      (WorldSystem(axes: .longitudeFirst, equinox: 1975), 2.58868, 3.38840),
      (WorldSystem(axes: .longitudeFirst, equinox: 1950, isFK4: true), 2.19074, 2.98775),
    ])
  func angles(_ system: WorldSystem, _ j2000: Double, _ b1950: Double) {
    let place = WorldPosition(x: 100.23837242703283, y: 69.975380774261)
    #expect(abs(system.j2000Angle(2.98802, at: place) - j2000) < 5e-4)
    #expect(abs(system.b1950Angle(2.98802, at: place) - b1950) < 5e-4)
  }

  @Test("North of J2000 is its own, and that of B1950 is not")
  func j2000() {
    let system = WorldSystem(axes: .longitudeFirst)
    let place = WorldPosition(x: 149.9828406, y: -2.5178650)
    #expect(system.turnToJ2000(at: place) == 0)
    #expect(abs(system.turnToB1950(at: place) + 0.1407) < 1e-4)
    #expect(WorldSystem(axes: .other).turnToB1950(at: place) == 0)
  }

  /// The positions of astropy 8.0, whose obliquity of the ecliptic is a later one.
  @Test("Other coordinates become equatorial")
  func others() {
    func at(_ sky: OtherSky) -> SkyPosition {
      sky.equatorial(longitude: 149.9828406, latitude: -2.5178650)
    }
    #expect(isNear(at(.galactic), 58.4671674, 50.5183964, 1e-7))
    #expect(isNear(at(.ecliptic), 151.1770678, 9.1194694, 2e-5))
    #expect(isNear(at(.supergalactic), 201.0846116, -32.8988899, 1e-6))
  }

  private func isNear(
    _ position: SkyPosition, _ rightAscension: Double, _ declination: Double, _ tolerance: Double
  ) -> Bool {
    abs(position.rightAscension - rightAscension) < tolerance
      && abs(position.declination - declination) < tolerance
  }
}
