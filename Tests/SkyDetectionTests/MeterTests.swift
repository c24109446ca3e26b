import Testing

@testable import SkyDetection

@Suite("Measures of a source's pixels and of those around it")
struct MeterTests {
  private func expect(
    _ numbers: [Double], _ expected: [Double], within tolerance: Double = 1e-10,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(numbers.count == expected.count, sourceLocation: location)
    for (number, expected) in zip(numbers, expected) {
      #expect(
        abs(number - expected) <= tolerance * max(abs(expected), 1e-3),
        "\(number), not \(expected)", sourceLocation: location)
    }
  }

  private func field(_ expected: Expected) throws -> MadeField {
    try MadeField(
      isWeighted: expected.isWeighted, hasHoles: expected.hasHoles,
      scalesGain: expected.scalesGain)
  }

  @Test("Errors, thresholds and profiles are those of the source's own pixels", arguments: expected)
  func ownPixels(expected: Expected) throws {
    let made = try field(expected)
    let (component, sums) = (made.components[expected.star], [made.sums[expected.star]])
    let errors = component.positionErrors(
      of: sums, owners: [], noise: MadeField.noise, gain: made.noise.gain)
    expect([errors[0].xx, errors[0].yy, errors[0].xy], expected.errors)
    let thresholds = component.thresholds(of: 1, owners: [])
    // Thresholds are single precision.
    expect(
      [Double(thresholds[0].detection), Double(thresholds[0].analysis)], expected.thresholds,
      within: 1e-7)
    let profile = component.profiles(
      of: sums, owners: [], isSaturated: component.values.map { $0 >= 250 })
    #expect(profile[0].areas == expected.areas)
    expect([profile[0].fwhm], [expected.fwhm])
  }

  @Test("Fluxes in circles and ellipses have variances", arguments: expected)
  func fluxes(expected: Expected) throws {
    var made = try field(expected)
    let (source, mask) = (made.sources[expected.star], made.mask(for: expected.star))
    let circles = [3.0, 8].map {
      Aperture(radius: $0).fluxAndVariance(of: source, in: made.plane, mask, made.noise)
    }
    expect(circles.flatMap { [$0.flux, $0.variance] }, expected.apertures)
    let meter = EllipseMeter(patch: made.patch, validArea: made.field.validArea)
    let kron = KronMeter(settings: .init(), meter)
      .measure(source, in: made.plane, mask, noise: made.noise)
    let flux = try #require(kron.measures)
    expect([flux.radius, flux.flux, try #require(flux.variance)], expected.kron)
    let petrosian = PetrosianMeter(.init(), meter).measure(
      source, in: made.plane, mask, noise: made.noise)
    let other = try #require(petrosian.measures)
    expect([other.radius, other.flux, try #require(other.variance)], expected.petrosian)
    // The last star is at the edge of the image.
    let isCut = expected.star == 2
    #expect(kron.flags?.contains(.incompleteAperture) == isCut)
    #expect(petrosian.flags?.contains(.incompleteAperture) == isCut)
  }

  @Test("Growth curves and windows", arguments: expected)
  func growthAndWindow(expected: Expected) throws {
    var made = try field(expected)
    let (source, mask) = (made.sources[expected.star], made.mask(for: expected.star))
    let fluxes = [0.2, 0.5, 0.9, 1.2].map { $0 * expected.kron[1] }
    let meter = GrowthMeter(field: made.field)
    func curve(holding fluxes: [Double]) throws -> GrowthCurve {
      try #require(meter.measure(source, holding: fluxes, in: made.plane, mask).measures)
    }
    let needed = try curve(holding: fluxes)
    expect(fluxes.map(needed.radius), expected.radii)
    let whole = try curve(holding: [.infinity])
    for flux in fluxes {
      #expect(try curve(holding: [flux]).radius(holding: flux) == whole.radius(holding: flux))
    }
    let outcome = WindowMeter(field: made.field, noise: made.noise).measure(
      source, halfLightRadius: whole.halfLightRadius(of: expected.kron[1]),
      isophotalErrors: .init(), in: made.plane, mask)
    let window = try #require(outcome.measures)
    expect(
      [
        window.x, window.y, window.xx, window.yy, window.xy, window.errors.xx, window.errors.yy,
        window.errors.xy, window.flux, window.variance,
      ], expected.window)
    #expect(window.iterations == expected.iterations && window.flags == [])
    let isCut = expected.star == 2
    let growth = meter.measure(source, holding: fluxes, in: made.plane, mask)
    #expect(growth.flags?.contains(.incompleteAperture) == isCut)
    #expect(outcome.flags?.contains(.incompleteAperture) == isCut)
  }
}
