import SkyDetection
import SkyFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The neural network that tells stars from galaxies (Bertin & Arnouts 1996, A&AS 117, 393, section 9).
/// Its numbers are those of a file that STARNNW_NAME names.
package struct StarNetwork: Codable, Hashable, Sendable {
  /// The number of inputs: nine for the source's profile, and one for the seeing.
  static let inputCount = 10

  /// What inputs are multiplied by, and what is added to them then.
  let scales: [Double]
  let offsets: [Double]
  /// The neurons behind the inputs, and then the last one. Each has a weight for each of the neurons
  /// before it, and an offset behind them.
  let hidden: [[Double]]
  let last: [Double]
  /// What the last neuron's output is lowered by, and then divided by.
  let outputOffset: Double
  let outputScale: Double

  /// How much a source looks like a star: from 0, a galaxy, to 1.
  ///
  /// - Parameter inputs: ``inputCount`` numbers; see `CatalogRow.starInputs`.
  func answer(to inputs: [Double]) -> Double {
    let scaled = inputs.indices.map { inputs[$0] * scales[$0] + offsets[$0] }
    let inner = hidden.map { Self.neuron($0, scaled) }
    return (Self.neuron(last, inner) - outputOffset) / outputScale
  }

  private static func neuron(_ weights: [Double], _ inputs: [Double]) -> Double {
    let sum = zip(weights, inputs).reduce(weights[inputs.count]) { $0 + $1.0 * $1.1 }
    return 1 / (1 + exp(-sum))
  }

  /// Tells the network from others.
  package var fingerprint: String {
    var hash = ContentsHash()
    let numbers = scales + offsets + hidden.joined() + last + [outputOffset, outputScale]
    for number in numbers { hash.add("\(number) ".utf8) }
    return hash.text
  }
}

extension Column {
  /// Whether the column needs the network that tells stars from galaxies.
  package var needsNetwork: Bool { needs.contains(.network) }

  static let starClass = Column(
    "CLASS_STAR", "how much the profile is a star's, from 0 to 1",
    needs: [.profile, .background, .scale, .network], printed: .fixed(width: 6, places: 3),
    .float32(places: 3) { row in
      row.starInputs.flatMap { row.context.catalog.network?.answer(to: $0) }
    })
}

extension CatalogRow {
  /// What the network is asked about: the areas over eight levels in units of the seeing's square, the
  /// height of the peak in units of the threshold, and the seeing; `nil` if one is not known.
  var starInputs: [Double]? {
    let seeing = context.catalog.seeing
    guard let profile = source.profile, let noise = context.background?.noise, let pixelArea,
      pixelArea > 0, seeing > 0
    else { return nil }
    let unit = seeing * seeing / pixelArea
    // Numbers that have no logarithm get those that SExtractor has for them.
    let areas = profile.areas.map { log10($0 > 0 ? Double($0) / unit : 0.01) }
    let peak = Double(source.isophotal.peak)
    // As in SExtractor, that of the whole image, whatever a source's weights and its sky are.
    let threshold = context.detection.analysisThreshold(noise: noise, typical: noise)
    let height = threshold > 0 ? log10(peak > 0 ? peak / threshold : 0.1) : -1
    return [areas[0], height] + areas.dropFirst() + [log10(seeing)]
  }
}
