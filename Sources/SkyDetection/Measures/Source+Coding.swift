// What this file codes is frozen by the version of `SourceScan.kind`.

/// The isophotal measures are side by side with the other members. Groups that were not measured are
/// left out.
extension Source: Codable {
  private enum CodingKeys: String, CodingKey {
    case component, part, x, y, xx, yy, xy, flux, variance, xMin, yMin, xMax, yMax, flags
    case apertureFluxes, kron, cleaning
    case apertureVariances, petrosian, fluxRadii, positionErrors, profile, thresholds, window
    case weightCounts, localBackground, stampMask, componentEnd
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func member<Value: Decodable>(_ key: CodingKeys) throws -> Value {
      try container.decode(Value.self, forKey: key)
    }
    func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: key)
    }
    self.init(
      component: try member(.component), part: try member(.part), x: try member(.x),
      y: try member(.y), xx: try member(.xx), yy: try member(.yy), xy: try member(.xy),
      flux: try member(.flux), variance: try member(.variance),
      isophotal: try IsophotalMeasures(from: decoder), xMin: try member(.xMin),
      yMin: try member(.yMin), xMax: try member(.xMax), yMax: try member(.yMax),
      flags: try member(.flags), apertureFluxes: try member(.apertureFluxes),
      kron: try optional(.kron), cleaning: try optional(.cleaning))
    apertureVariances = try optional(.apertureVariances) ?? []
    petrosian = try optional(.petrosian)
    fluxRadii = try optional(.fluxRadii) ?? []
    positionErrors = try optional(.positionErrors)
    profile = try optional(.profile)
    thresholds = try optional(.thresholds)
    window = try optional(.window)
    weightCounts = try optional(.weightCounts)
    localBackground = try optional(.localBackground)
    stampMask = try optional(.stampMask)
    componentEnd = try optional(.componentEnd)
  }

  public func encode(to encoder: any Encoder) throws {
    try isophotal.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(component, forKey: .component)
    try container.encode(part, forKey: .part)
    try container.encode(x, forKey: .x)
    try container.encode(y, forKey: .y)
    try container.encode(xx, forKey: .xx)
    try container.encode(yy, forKey: .yy)
    try container.encode(xy, forKey: .xy)
    try container.encode(flux, forKey: .flux)
    try container.encode(variance, forKey: .variance)
    try container.encode(xMin, forKey: .xMin)
    try container.encode(yMin, forKey: .yMin)
    try container.encode(xMax, forKey: .xMax)
    try container.encode(yMax, forKey: .yMax)
    try container.encode(flags, forKey: .flags)
    try container.encode(apertureFluxes, forKey: .apertureFluxes)
    try container.encodeIfPresent(kron, forKey: .kron)
    try container.encodeIfPresent(cleaning, forKey: .cleaning)
    if !apertureVariances.isEmpty {
      try container.encode(apertureVariances, forKey: .apertureVariances)
    }
    try container.encodeIfPresent(petrosian, forKey: .petrosian)
    if !fluxRadii.isEmpty { try container.encode(fluxRadii, forKey: .fluxRadii) }
    try container.encodeIfPresent(positionErrors, forKey: .positionErrors)
    try container.encodeIfPresent(profile, forKey: .profile)
    try container.encodeIfPresent(thresholds, forKey: .thresholds)
    try container.encodeIfPresent(window, forKey: .window)
    try container.encodeIfPresent(weightCounts, forKey: .weightCounts)
    try container.encodeIfPresent(localBackground, forKey: .localBackground)
    try container.encodeIfPresent(stampMask, forKey: .stampMask)
    try container.encodeIfPresent(componentEnd, forKey: .componentEnd)
  }
}
