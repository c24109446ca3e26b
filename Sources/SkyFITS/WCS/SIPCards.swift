/// The cards with the coefficients of SIP that count: those whose p + q is A_ORDER or B_ORDER at most, and none
/// without an order over 1 (Shupe et al. 2005, ASP Conf. Ser. 347, 491). WCSLIB applies all.
///
/// - Throws: ``NoSkyPositions`` if one of A_ORDER and B_ORDER is over 1 and the other is not, of which astropy makes
///   an error, or no distortion; or if what counts is not a number.
func withinOrders(_ cards: [String]) throws(NoSkyPositions) -> [String] {
  guard cards.contains(where: isOfSIP) else { return cards }
  let orders = (try order("A", cards), try order("B", cards))
  guard orders.0 > 1 || orders.1 > 1 else { return cards.filter { !isOfSIP($0) } }
  guard orders.0 > 1, orders.1 > 1 else {
    throw .invalid(
      "have \(orders.0 > 1 ? "A_ORDER" : "B_ORDER") over 1 without such \(orders.0 > 1 ? "a B_ORDER" : "an A_ORDER")"
    )
  }
  var kept: [String] = []
  for card in cards {
    if hasValue(card), let coefficient = Coefficient(card) {
      let isInverse = coefficient.name.count == 2
      let order = coefficient.name.hasPrefix("A") ? orders.0 : orders.1
      guard isInverse || coefficient.order <= order else { continue }
      // The inverse is not used.
      guard isInverse || number(ofCard: card) != nil else {
        throw .invalid("have \(keyword(of: card)), which is not a number")
      }
    }
    kept.append(card)
  }
  return kept
}

/// The order of a polynomial; 0 if the header does not tell it.
private func order(_ name: String, _ cards: [String]) throws(NoSkyPositions) -> Int {
  guard let card = cards.first(where: { hasValue($0) && keyword(of: $0) == name + "_ORDER" }) else {
    return 0
  }
  guard let order = number(ofCard: card).flatMap({ Int(exactly: $0) }) else {
    throw .invalid("have \(name)_ORDER, which is not a whole number")
  }
  return order
}

/// The names of SIP's polynomials; AP and BP are of the inverse.
private let polynomials = ["A", "B", "AP", "BP"]

/// A_p_q, B_p_q, AP_p_q or BP_p_q.
private struct Coefficient {
  let name: String
  /// p + q.
  let order: Int

  init?(_ card: String) {
    let parts = keyword(of: card).split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 3, let p = UInt16(parts[1]), let q = UInt16(parts[2]),
      let name = polynomials.first(where: { $0 == parts[0] })
    else { return nil }
    (self.name, order) = (name, Int(p) + Int(q))
  }
}

/// Whether the card is A_p_q, B_p_q, AP_p_q or BP_p_q, or their order.
func isOfSIP(_ card: String) -> Bool {
  Coefficient(card) != nil || polynomials.contains { keyword(of: card) == $0 + "_ORDER" }
}
