import Testing

@testable import SkyDetection

@Suite("Measures around a source in a part of an image")
struct MeterSeamTests {
  /// What meters measure of the first star, and the boxes that they read or need.
  private struct Findings {
    var kron: MeterOutcome<Source.EllipseFlux>
    var petrosian: MeterOutcome<Source.EllipseFlux>
    var growth: MeterOutcome<GrowthCurve>
    var window: MeterOutcome<Source.WindowMeasures>
  }

  private func findings(in cut: PixelRectangle? = nil) throws -> Findings {
    var made = try MadeField(isWeighted: true, hasHoles: true, scalesGain: true, cut: cut)
    let number = try #require(made.sources.firstIndex { abs($0.x - 27.3) < 0.1 })
    let (source, mask) = (made.sources[number], made.mask(for: number))
    let meter = EllipseMeter(patch: made.patch, validArea: made.field.validArea)
    let noise = made.noise
    return Findings(
      kron: KronMeter(settings: .init(), meter)
        .measure(source, in: made.plane, mask, noise: noise),
      petrosian: PetrosianMeter(.init(), meter).measure(source, in: made.plane, mask, noise: noise),
      growth: GrowthMeter(field: made.field).measure(
        source, holding: [.infinity], in: made.plane, mask),
      window: WindowMeter(field: made.field, noise: noise).measure(
        source, halfLightRadius: 2.6, isophotalErrors: .init(), in: made.plane, mask))
  }

  @Test("A patch that holds the boxes has the same measures to the last bit")
  func enough() throws {
    let whole = try findings()
    let part = try findings(in: PixelRectangle(x: 9, y: 10, width: 45, height: 47))
    #expect(part.kron.measures == whole.kron.measures && whole.kron.measures != nil)
    #expect(part.petrosian.measures == whole.petrosian.measures)
    #expect(part.growth.measures?.fluxes == whole.growth.measures?.fluxes)
    #expect(part.window.measures == whole.window.measures && whole.window.measures != nil)
  }

  @Test("A patch that lacks pixels names a box that suffices")
  func tooLittle() throws {
    // The patch has the star, and a few pixels around it.
    let part = try findings(in: PixelRectangle(x: 20, y: 23, width: 15, height: 16))
    func needed<Measures>(_ outcome: MeterOutcome<Measures>) -> PixelBox? {
      guard case .needs(let box) = outcome else { return nil }
      return box
    }
    let whole = try findings()
    func read<Measures>(_ outcome: MeterOutcome<Measures>) -> PixelBox? {
      guard case .measured(_, _, let box) = outcome else { return nil }
      return box
    }
    let boxes = [
      (needed(part.kron), read(whole.kron)), (needed(part.petrosian), read(whole.petrosian)),
      (needed(part.growth), read(whole.growth)), (needed(part.window), read(whole.window)),
    ]
    for (needed, read) in boxes {
      let (needed, read) = (try #require(needed), try #require(read))
      #expect(needed.union(read) == needed)
    }
  }

  @Test("No measure needs more than a fixed distance, however large a source is")
  func largest() {
    var source = Source(
      component: PixelPlace(row: 0, column: 0), part: 0, x: 5000, y: 6000, xx: 1e5, yy: 1e5,
      xy: 0, flux: 1, variance: 1, isophotal: IsophotalMeasures(), xMin: 1, yMin: 1, xMax: 1,
      yMax: 1, flags: [], apertureFluxes: [])
    let most = PixelBox(columns: 4999..<5000, rows: 5999..<6000)
      .grown(by: DetectionSettings.Kron.maximumReach)
    func isWithin(_ box: PixelBox) -> Bool { box.union(most) == most }
    let circles = DetectionSettings.LeastCircles(search: 1000, flux: 1000)
    for moment in [1.0, 1e3, 1e5, 1e12] {
      (source.xx, source.yy) = (moment, moment)
      #expect(isWithin(GrowthMeter.reach(of: source, circles)))
      #expect(isWithin(WindowMeter.limit(of: source)))
      #expect(isWithin(EllipseMeter.reach(of: source, .init(radius: 0, flux: 0), circles)))
    }
  }
}
