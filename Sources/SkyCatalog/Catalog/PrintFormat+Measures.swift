extension PrintFormat {
  /// The format of fluxes.
  static let flux = PrintFormat.general(width: 12, digits: 7)
  static let magnitude = PrintFormat.fixed(width: 8, places: 4)
  static let moment = PrintFormat.exponent(width: 18, digits: 10)
  static let coefficient = PrintFormat.exponent(width: 15, digits: 7)
}
