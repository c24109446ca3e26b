// What this file codes is frozen by the version of `SimulatedScan.kind`.

package import SkyNetCore

extension SimulatedScan {
  /// A sector's number, and optionally pixels, to show the cost of moving them.
  package struct Sector: Hashable, Sendable {
    package var number: Int
    /// As many bytes as ``Settings/sectorBytes``; `nil` for none.
    package var pixels: BulkBytes?

    package init(_ number: Int, pixels: BulkBytes? = nil) {
      self.number = number
      self.pixels = pixels
    }
  }
}

/// In JSON, a sector without pixels is a bare number: `7`. With pixels it is an object:
/// `{"number":7,"pixels":{…}}`.
extension SimulatedScan.Sector: Codable {
  private enum CodingKeys: String, CodingKey {
    case number, pixels
  }

  package init(from decoder: any Decoder) throws {
    if let number = try? decoder.singleValueContainer().decode(Int.self) {
      self.init(number)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(Int.self, forKey: .number),
      pixels: try container.decode(BulkBytes.self, forKey: .pixels))
  }

  package func encode(to encoder: any Encoder) throws {
    guard let pixels else {
      var container = encoder.singleValueContainer()
      return try container.encode(number)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    try container.encode(pixels, forKey: .pixels)
  }
}

extension SimulatedScan.Sector: NumberCoded {
  package var jsonNumber: Int? { pixels == nil ? number : nil }

  package init(jsonNumber: Int) { self.init(jsonNumber) }
}
