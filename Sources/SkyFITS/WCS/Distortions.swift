import Foundation

/// Makes the cards of a header tell one distortion, the one that its axis types name (Shupe et al. 2012, Proc.
/// SPIE 8451, 84511M, section 7), where WCSLIB would apply two, or compute with parameters that mean something
/// else.
///
/// - SIP is nothing beside the projections that bring a distortion of their own, such as TPV.
/// - SCAMP wrote the parameters of TPV, PV1_m and PV2_m, with the projection TAN before 2012, and other
///   programs leave them in a header with SIP.
/// - PV1_1 and PV2_1 are 1 in TPV where they are missing. WCSLIB takes 0, and all pixels have one position.
/// - WCSLIB applies SIP's coefficients whatever A_ORDER and B_ORDER say; see ``withinOrders(_:)``.
///
/// - Throws: ``NoSkyPositions`` if the projection has no such parameters, and SCAMP cannot have meant them; if
///   SIP's cards contradict each other.
func mendingDistortions(_ cards: [String]) throws(NoSkyPositions) -> [String] {
  try withinOrders(try withOneDistortion(cards))
}

/// The projections that bring a distortion of their own.
let selfDistorting: Set = ["TPV", "TNX", "ZPX", "TPD"]

private func withOneDistortion(_ cards: [String]) throws(NoSkyPositions) -> [String] {
  let types = cards.filter(isAxisType).compactMap(textValue).map(AxisType.init)
  guard let projection = types.lazy.compactMap(\.projection).first else { return cards }
  let namesSIP = types.contains { $0.distortion == "SIP" }
  var cards = cards
  if selfDistorting.contains(projection) {
    guard !namesSIP || !cards.contains(where: isOfSIP) else {
      throw .invalid("have two distortions, \(projection) and SIP")
    }
    cards.removeAll(where: isOfSIP)
    if projection == "TPV" { return withLinearTerms(cards) }
  }
  let parameters = Parameters(cards)
  guard !parameters.isEmpty, types.allSatisfy({ ["", "SIP"].contains($0.distortion) }) else {
    return cards
  }
  guard projection == "TAN" else {
    guard !parameters.areScaleLike else { throw parameters.fault(projection) }
    return cards
  }
  if parameters.areWithoutEffect { return cards.filter { !isParameter($0) } }
  if namesSIP {
    return parameters.areOfPole ? cards : cards.filter { !isParameter($0) }
  }
  if parameters.areScaleLike || parameters.areBeyondPole {
    return withLinearTerms(
      cards.filter { !isOfSIP($0) }.map {
        isAxisType($0) ? $0.replacing("-TAN", with: "-TPV") : $0
      })
  }
  guard parameters.areOfPole else { throw parameters.fault(projection) }
  return cards
}

/// The type of an axis of the sky, as `RA---TAN-SIP`.
private struct AxisType {
  /// The code of its projection; `nil` if it has none.
  let projection: String?
  /// The code of its distortion; empty if it has none.
  let distortion: String

  init(_ text: String) {
    let codes = text.split(separator: "-", omittingEmptySubsequences: true).dropFirst()
    projection = codes.first.map { $0.filter { $0 != " " } }
    distortion = codes.dropFirst().first.map { $0.filter { $0 != " " } } ?? ""
  }
}

/// The parameters PV1_m and PV2_m of a header.
private struct Parameters {
  private var first: [Int: Double] = [:]
  private var second: [Int: Double] = [:]

  init(_ cards: [String]) {
    for card in cards {
      guard let (axis, number) = parameter(card), let value = SkyFITS.number(ofCard: card) else {
        continue
      }
      if axis == 1 { first[number] = value } else { second[number] = value }
    }
  }

  var isEmpty: Bool { first.isEmpty && second.isEmpty }

  /// Whether all are 0, as SCAMP does not write them.
  var areWithoutEffect: Bool {
    first.values.allSatisfy { $0 == 0 } && second.values.allSatisfy { $0 == 0 }
  }

  /// Whether both axes have a linear term near 1, as every polynomial of SCAMP's has.
  var areScaleLike: Bool {
    [first[1], second[1]].allSatisfy { $0.map { (0.5...2).contains(abs($0)) } ?? false }
  }

  /// Whether there are more than any axis has that is no polynomial.
  var areBeyondPole: Bool {
    (first.keys.max() ?? 0) > 4 || (second.keys.max() ?? 0) > 4
  }

  /// Whether they are what the standard gives a projection without parameters of its own, and move nothing:
  /// the native longitude and latitude of the reference point (PV1_1, PV1_2), and LONPOLE and LATPOLE (PV1_3,
  /// PV1_4; Calabretta & Greisen 2002, A&A 395, 1077, section 2.5).
  var areOfPole: Bool {
    !areBeyondPole && (first[1] ?? 0) == 0 && (first[2] ?? 90) == 90
      && second.allSatisfy { $0.key == 0 || $0.value == 0 }
  }

  func fault(_ projection: String) -> NoSkyPositions {
    let names =
      first.keys.sorted().map { "PV1_\($0)" } + second.keys.sorted().map { "PV2_\($0)" }
    return .invalid(
      "have \(names.joined(separator: ", ")), which belong neither to the projection \(projection) nor to SCAMP's "
        + "polynomials")
  }
}

/// The cards with the linear terms of TPV that are missing.
private func withLinearTerms(_ cards: [String]) -> [String] {
  let missing = [1, 2].filter { axis in
    !cards.contains { parameter($0).map { $0 == (axis, 1) } ?? false }
  }
  return missing.map { "PV\($0)_1   = 1.0".padding(toLength: 80, withPad: " ", startingAt: 0) }
    + cards
}

private func isAxisType(_ card: String) -> Bool {
  card.hasPrefix("CTYPE1  =") || card.hasPrefix("CTYPE2  =")
}

private func isParameter(_ card: String) -> Bool { parameter(card) != nil }

/// The axis and the number m of PV1_m or PV2_m of the primary coordinates.
private func parameter(_ card: String) -> (axis: Int, number: Int)? {
  let keyword = keyword(of: card)
  guard let axis = [1, 2].first(where: { keyword.hasPrefix("PV\($0)_") }) else { return nil }
  return Int(keyword.dropFirst(4)).map { (axis, $0) }
}
