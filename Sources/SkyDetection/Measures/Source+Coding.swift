// What this file codes is frozen by the version of `SourceScan.kind`.

/// The isophotal measures are side by side with the other members.
extension Source: Codable {
  private enum CodingKeys: String, CodingKey {
    case component, part, x, y, xx, yy, xy, flux, variance, xMin, yMin, xMax, yMax, flags
    case apertureFluxes, kron, cleaning
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func member<Value: Decodable>(_ key: CodingKeys) throws -> Value {
      try container.decode(Value.self, forKey: key)
    }
    self.init(
      component: try member(.component), part: try member(.part), x: try member(.x),
      y: try member(.y), xx: try member(.xx), yy: try member(.yy), xy: try member(.xy),
      flux: try member(.flux), variance: try member(.variance),
      isophotal: try IsophotalMeasures(from: decoder), xMin: try member(.xMin),
      yMin: try member(.yMin), xMax: try member(.xMax), yMax: try member(.yMax),
      flags: try member(.flags), apertureFluxes: try member(.apertureFluxes),
      kron: try container.decodeIfPresent(KronFlux.self, forKey: .kron),
      cleaning: try container.decodeIfPresent(CleaningMeasures.self, forKey: .cleaning))
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
  }
}
