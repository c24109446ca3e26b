/// A column of a catalogue. ``allCases`` has them all, and everything that is known of each.
public struct Column: Sendable {
  /// SExtractor's name for the measure (the SExtractor manual, "Measurements").
  public let name: String
  /// The description in a table's header.
  let description: String
  /// The unit, as in FITS (FITS Standard 4.0, section 4.3); `nil` for a plain number.
  let unit: String?
  /// What the image or the settings must have for the column; `nil` for nothing.
  let need: Need?
  let numbers: ColumnNumbers

  enum Need {
    /// The image's sky positions.
    case sky
    /// Circles to measure fluxes in. The column has one value for each.
    case apertures
    /// Kron's ellipses.
    case kron
  }

  init(
    _ name: String, _ description: String, unit: String? = nil, needs need: Need? = nil,
    _ numbers: ColumnNumbers
  ) {
    (self.name, self.description, self.unit) = (name, description, unit)
    (self.need, self.numbers) = (need, numbers)
  }

  /// Whether the column needs the image's sky positions.
  public var isInSky: Bool { need == .sky }

  /// Whether the column has one value for each aperture.
  var isVector: Bool { need == .apertures }
}

/// Columns are known by their names.
extension Column: RawRepresentable, CaseIterable, Hashable {
  public var rawValue: String { name }

  /// The column of a name; `nil` if there is none.
  public init?(rawValue name: String) {
    guard let column = Self.named[name] else { return nil }
    self = column
  }

  private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
