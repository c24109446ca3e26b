import Testing

@testable import SkyDetection

@Suite("Measures of odd sources")
struct OddMeasuresTests {
  @Test("A curve's radius for fluxes that no circle holds")
  func radii() {
    let even = GrowthCurve(limit: 64, rings: [Double](repeating: 1, count: 64))
    #expect(even.radius(holding: 10) == 10 && even.radius(holding: 0.5) == 0.5)
    #expect(even.radius(holding: -2) == -2 && even.radius(holding: 1000) == 64)
    #expect(even.halfLightRadius(of: 20) == 10 && even.halfLightRadius(of: -8) == 4)
    #expect(even.halfLightRadius(of: 0.2) == 0.5)
    let dark = GrowthCurve(limit: 64, rings: [Double](repeating: 0, count: 64))
    #expect(dark.radius(holding: 0) == 0 && dark.radius(holding: 1) == 63)
  }

  /// A window around a source without light stays, and has the source's own place and moments.
  @Test("A window without light, or without an ellipse, has the isophotal measures")
  func fallback() throws {
    var made = try MadeField()
    let mask = made.mask(for: 0)
    var source = made.sources[0]
    let errors = Source.PositionErrors(xx: 1, yy: 2, xy: 0.5)
    var dark = made.plane
    for index in dark.values.indices { dark.values[index] = -1 }
    let meter = WindowMeter(field: made.field, noise: made.noise)
    let none = try #require(
      meter.measure(
        source, halfLightRadius: 2, isophotalErrors: errors, in: dark, mask
      ).measures)
    #expect(none.flags.contains(.noFlux) && none.iterations == 1 && none.flux < 0)
    #expect((none.x, none.y) == (source.x, source.y))
    #expect((none.xx, none.yy, none.xy) == (source.xx, source.yy, source.xy))
    #expect(none.errors == errors && none.isFinite)
    // A dark column beside a bright one.
    for index in dark.values.indices {
      dark.values[index] = [27: 60, 26: -25, 28: -25][index % MadeField.side] ?? 0
    }
    (source.x, source.y) = (28, 32)
    let line = try #require(
      meter.measure(
        source, halfLightRadius: 2, isophotalErrors: errors, in: dark, mask
      ).measures)
    #expect(line.flags == [.negativeMoment, .noEllipse] && line.errors == errors)
    #expect((line.x, line.xx) == (source.x, source.xx) && line.flux > 0)
  }

  @Test("A window that leaves its source's surroundings ends there, whatever the patch has beyond")
  func stray() throws {
    func window(in cut: PixelRectangle?) throws -> Source.WindowMeasures {
      var made = try MadeField(cut: cut)
      let number = try #require(made.sources.firstIndex { abs($0.x - 27.3) < 0.1 })
      var source = made.sources[number]
      (source.xx, source.yy, source.xy) = (0.2, 0.2, 0)
      // The farther along x, the more light there is, but for pixels of another source.
      var slope = made.plane
      for index in slope.values.indices {
        let column = made.patch.x + index % made.patch.width
        slope.values[index] = column.isMultiple(of: 5) ? .nan : Float(1 << (column / 2))
      }
      let mask = made.mask(for: number)
      let meter = WindowMeter(field: made.field, noise: made.noise)
      return try #require(
        meter.measure(
          source, halfLightRadius: 2, isophotalErrors: .init(), in: slope, mask
        ).measures)
    }
    let whole = try window(in: nil)
    #expect(whole.isFinite && whole.flags == .strayed)
    #expect(whole.xx == 0.2 && whole.iterations < 17)
    for margin in 0..<5 {
      let cut = PixelRectangle(
        x: 12 - margin, y: 16 - margin, width: 30 + 2 * margin, height: 30 + 2 * margin)
      #expect(try window(in: cut) == whole)
    }
  }

  @Test("A window has strayed if it ends more than a pixel away along both axes")
  func far() throws {
    var made = try MadeField()
    let mask = made.mask(for: 0)
    let meter = WindowMeter(field: made.field, noise: made.noise)
    for (dx, dy, hasStrayed) in [(2.0, 0.0, false), (0, -2, false), (1.5, -1.5, true)] {
      var source = made.sources[0]
      (source.x, source.y) = (source.x + dx, source.y + dy)
      let window = try #require(
        meter.measure(
          source, halfLightRadius: 2.6, isophotalErrors: .init(), in: made.plane, mask
        ).measures)
      #expect(window.flags == (hasStrayed ? .strayed : []))
      #expect((window.x == source.x) == hasStrayed && (window.y == source.y) == hasStrayed)
    }
  }

  @Test("A source in a line has the errors of one as wide as a pixel")
  func line() throws {
    var errors = Source.PositionErrors(xx: 4, yy: 0, xy: 0)
    errors.widen(by: 0.5)
    #expect((errors.xx, errors.yy) == (4.5, 0.5))
    errors.widen(by: 0.5)
    #expect((errors.xx, errors.yy) == (4.5, 0.5))
  }

  @Test("A source without a peak over its threshold has no profile")
  func darkProfile() {
    let spread = Spread(xx: 2, yy: 2, xy: 0)
    var profile = IsophotalProfile(peak: -3, threshold: 2, spread: spread)
    profile.add(-3, 0, 0, isSaturated: false)
    #expect(profile.profile == Source.Profile(areas: [Int32](repeating: 0, count: 8), fwhm: 0))
  }
}
