package import SkyDetection

/// A column of a catalogue. ``allCases`` has them all, and everything that is known of each.
public struct Column: Sendable {
  /// SExtractor's name for the measure (the SExtractor manual, "Measurements").
  public let name: String
  /// The description in a table's header.
  let description: String
  /// The unit, as in FITS (FITS Standard 4.0, section 4.3); `nil` for a plain number.
  let unit: String?
  /// What the image and the settings must have for the column.
  let needs: Needs
  /// How SExtractor's formats print a number.
  let printed: PrintFormat
  /// The type of the numbers in SExtractor's tables.
  let printedType: NumberType
  /// What SExtractor's formats have for no value.
  let absent: Double
  let numbers: ColumnNumbers
  /// The number of values that a list asks for, in a column of vectors; `nil` for as many as are
  /// measured.
  package var size: Int?
  /// The size that a list asks for, in a column of stamps; `nil` for SExtractor's, which is one pixel.
  package var stamp: DetectionSettings.Stamp?

  /// - Parameter type: the type in SExtractor's tables, if it is not that of the numbers.
  init(
    _ name: String, _ description: String, unit: String? = nil, needs: Needs = [],
    printed: PrintFormat, as type: NumberType? = nil, absent: Double = 0, _ numbers: ColumnNumbers
  ) {
    (self.name, self.description, self.unit) = (name, description, unit)
    (self.needs, self.numbers) = (needs, numbers)
    (self.printed, self.printedType, self.absent) = (printed, type ?? numbers.type, absent)
  }

  /// Whether the column needs the image's place in the sky.
  package func isInSky(_ settings: CatalogSettings) -> Bool {
    needs(settings).contains(.sky)
  }

  /// What the column needs. Without a size of pixels in the settings, the image's place in the sky tells
  /// it.
  func needs(_ settings: CatalogSettings) -> Needs {
    needs.contains(.scale) && settings.pixelScale == 0 ? needs.union(.jacobians) : needs
  }

  /// Whether the column has a value for each pixel of a stamp.
  package var isStamp: Bool { needs.contains(.stamp) }

  /// Whether the column has one value for each aperture, or for each fraction of a flux.
  var isVector: Bool { needs.contains(.apertures) || needs.contains(.fluxFractions) }
}

extension Column {
  /// What columns need.
  struct Needs: OptionSet, Sendable {
    let rawValue: UInt32

    /// The image's place in the sky.
    static let sky = Needs(rawValue: 1)
    /// The size of a pixel in the sky.
    static let scale = Needs(rawValue: 1 << 1)
    /// The levels of the background.
    static let background = Needs(rawValue: 1 << 2)
    /// Circles to measure fluxes in. The column has one value for each.
    static let apertures = Needs(rawValue: 1 << 3)
    /// Kron's ellipses.
    static let kron = Needs(rawValue: 1 << 4)
    static let petrosian = Needs(rawValue: 1 << 5)
    /// Fractions of the Kron flux. The column has one value for each.
    static let fluxFractions: Needs = [Needs(rawValue: 1 << 6), .kron]
    // The groups of `DetectionSettings.Measures`.
    static let fluxErrors = Needs(rawValue: 1 << 8)
    static let positionErrors = Needs(rawValue: 1 << 9)
    static let profile = Needs(rawValue: 1 << 10)
    /// A window is as wide as half of the Kron flux extends. If it fails, the barycentre's errors
    /// stand for its own.
    static let window: Needs = [Needs(rawValue: 1 << 11), .kron, .positionErrors]
    static let weightCounts = Needs(rawValue: 1 << 12)
    static let thresholds = Needs(rawValue: 1 << 13)
    /// The network that tells stars from galaxies.
    static let network = Needs(rawValue: 1 << 20)
    /// The pixels around each source.
    static let stamp = Needs(rawValue: 1 << 21)
    /// All components, also those whose sources are left out.
    static let components = Needs(rawValue: 1 << 22)

    /// The sky positions of a point of each source (J2000).
    static func positions(_ point: SourcePoint) -> Needs {
      [Needs(rawValue: 1 << (24 + point.rawValue)), .sky, point.needs]
    }

    /// The world coordinates of a point of each source.
    static func places(_ point: SourcePoint) -> Needs {
      [Needs(rawValue: 1 << (27 + point.rawValue)), .sky, point.needs]
    }

    /// How the world coordinates of barycentres change from pixel to pixel.
    static let jacobians: Needs = [Needs(rawValue: 1 << 30), .places(.barycentre)]

    /// The groups of measures that are needed.
    var measures: DetectionSettings.Measures {
      let groups: [(Needs, DetectionSettings.Measures)] = [
        (.fluxErrors, .fluxErrors), (.positionErrors, .positionErrors), (.profile, .profile),
        (.window, .window), (.weightCounts, .weightCounts), (.thresholds, .thresholds),
        (.components, .componentEnds),
      ]
      return groups.reduce(into: []) { if contains($1.0) { $0.formUnion($1.1) } }
    }
  }
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
