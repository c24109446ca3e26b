/// How a source's flux in a circle grows with the circle (the SExtractor manual, "Flux radius").
struct GrowthCurve {
  static let count = 64
  /// The largest circle, in pixels.
  let limit: Double
  /// The difference of the radii of two neighbouring circles.
  let step: Double
  /// The fluxes in circles of 1, 2, 3 … steps: of all, or of those that are needed.
  let fluxes: [Double]

  /// - Parameter rings: the fluxes between neighbouring circles.
  init(limit: Double, rings: [Double]) {
    self.limit = limit
    step = 1 / (Double(Self.count) / limit)
    var sum = 0.0
    fluxes = rings.map { ring in
      sum += ring
      return sum
    }
  }

  /// The radius of the circle that holds a flux, in pixels (FLUX_RADIUS). Between two circles the flux is in
  /// proportion to the radius. For a flux that is negative, or larger than that of all circles, the
  /// curve continues so.
  func radius(holding flux: Double) -> Double {
    let number = circle(holding: flux) ?? Self.last
    guard number > 0 else {
      return min(limit, step * (fluxes[0] != 0 ? flux / fluxes[0] : 0))
    }
    // Beyond the last circle but one, the curve continues as it was before it.
    let outer = number == Self.last ? number - 1 : number
    let growth = fluxes[outer] - fluxes[outer - 1]
    let part = growth != 0 ? (flux - fluxes[outer - 1]) / growth : 0
    return min(limit, step * (Double(number) + part))
  }

  /// Whether one of the circles holds a flux, so that larger ones do not change its radius.
  func reaches(_ flux: Double) -> Bool { circle(holding: flux) != nil }

  /// The first circle that holds a flux.
  private func circle(holding flux: Double) -> Int? {
    fluxes.prefix(Self.last).firstIndex { $0 >= flux }
  }

  /// The last circle, of which nobody asks whether it holds a flux.
  private static let last = count - 1

  /// The radius of the circle with half of a flux, from which the width of a window is taken.
  func halfLightRadius(of flux: Double) -> Double {
    max(0.5, min(limit, abs(radius(holding: flux / 2))))
  }
}
