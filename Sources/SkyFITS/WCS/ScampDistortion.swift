/// Mends the cards of a header that SCAMP wrote before 2012. SCAMP then wrote distortions as
/// parameters PV1_m and PV2_m, with m up to 39, of the projection TAN, which has none beyond 4.
/// They are the parameters of TPV. If the header has SIP too, its types tell which distortion is
/// valid: SIP if they end in -SIP, otherwise SCAMP's (Shupe et al. 2012, Proc. SPIE 8451, 84511M,
/// section 7; astropy does the same).
func mendingScampDistortion(_ cards: [String]) -> [String] {
  var cards = cards
  let types = cards.filter(isAxisType)
  guard types.contains(where: { $0.contains("-TAN") }),
    cards.contains(where: { (parameter($0) ?? 0) > 4 })
  else { return cards }
  if types.contains(where: { $0.contains("-TAN-SIP") }) {
    cards.removeAll { parameter($0) != nil }
  } else {
    cards.removeAll(where: isOfSIP)
    cards = cards.map { isAxisType($0) ? $0.replacing("-TAN", with: "-TPV") : $0 }
  }
  return cards
}

private func isAxisType(_ card: String) -> Bool {
  card.hasPrefix("CTYPE1  =") || card.hasPrefix("CTYPE2  =")
}

/// The number m of PV1_m or PV2_m.
private func parameter(_ card: String) -> Int? {
  guard card.hasPrefix("PV1_") || card.hasPrefix("PV2_") else { return nil }
  return Int(card.dropFirst(4).prefix { $0.isNumber })
}

/// Whether the card is A_p_q, B_p_q, AP_p_q or BP_p_q, or their order.
func isOfSIP(_ card: String) -> Bool {
  ["A_", "B_", "AP_", "BP_"].contains { card.hasPrefix($0) }
}
