import SkyDetection

extension WorldPlaces {
  func write(to writer: inout ByteWriter) {
    writer.write(system.axes.rawValue)
    writer.write(system.equinox)
    writer.write(UInt8(system.isFK4 ? 1 : 0))
    writer.write(Int64(positions.count))
    for position in positions {
      writer.write(position?.x ?? .nan)
      writer.write(position?.y ?? .nan)
    }
  }

  /// - Parameter limit: the largest number of places.
  /// - Throws: ``InvalidScan`` if no image can have such places.
  init(_ reader: inout ByteReader, atMost limit: Int) throws {
    guard let axes = WorldSystem.Axes(rawValue: try reader.read()) else {
      throw InvalidScan("world coordinates of an unknown kind")
    }
    let equinox = try reader.double()
    guard equinox.isFinite else { throw InvalidScan("an equinox that is not finite") }
    let system = WorldSystem(axes: axes, equinox: equinox, isFK4: try reader.read(UInt8.self) != 0)
    let count = Int(try reader.read(Int64.self))
    guard (0...limit).contains(count) else { throw InvalidScan("\(count) places") }
    self.init(
      system: system, positions: try (0..<count).map { _ in try system.position(&reader) })
  }
}

extension WorldSystem {
  /// Reads a position; `nil` where both numbers are NaN.
  ///
  /// - Throws: ``InvalidScan`` if the position is outside of the sky, or not finite.
  fileprivate func position(_ reader: inout ByteReader) throws -> WorldPosition? {
    let position = WorldPosition(x: try reader.double(), y: try reader.double())
    if position.x.isNaN, position.y.isNaN { return nil }
    guard position.x.isFinite, position.y.isFinite else {
      throw InvalidScan("a place that is not finite")
    }
    if let sky = sky(position) {
      guard (0...360).contains(sky.rightAscension), (-90...90).contains(sky.declination) else {
        throw InvalidScan("a place outside of the sky")
      }
    }
    return position
  }
}
