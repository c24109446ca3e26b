// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyDetection
import SkyFITS
package import SkyNetCore

/// How pixels are packed on their way to a system.
package enum PixelPacking: String, Codable, Sendable {
  /// 16-bit pixels by Rice's code; see `RicePacking`.
  case rice
}

extension ImagePatch {
  /// Packs the pixels, if that makes them fewer bytes.
  fileprivate mutating func pack() {
    guard packing == nil, let bytes = RicePacking.pack(pixels.bytes) else { return }
    (pixels, packing) = (BulkBytes(bytes), .rice)
  }

  /// - Throws: ``InvalidScan`` if the pixels are not those of the rectangle.
  fileprivate mutating func unpack(_ settings: SourceScan.Settings) throws {
    guard packing != nil else { return }
    guard settings.coding.format == .int16 else {
      throw InvalidScan("packed pixels of \(settings.coding.format.rawValue)")
    }
    // The rectangle says how much memory is taken.
    try checkPlace(settings)
    do {
      pixels.bytes = try RicePacking.unpack(
        pixels.bytes, width: rectangle.width, height: rectangle.height)
      packing = nil
    } catch {
      throw InvalidScan("\(rectangle) cannot be unpacked: \(error)")
    }
  }
}

extension SourceScan.Sector {
  /// The sector with its pixels as the image's coding has them.
  ///
  /// - Throws: ``InvalidScan`` if pixels cannot be unpacked.
  func unpacked(_ settings: SourceScan.Settings) throws -> SourceScan.Sector {
    try changingPatches { try $0.unpack(settings) }
  }

  /// The sector with packed pixels.
  fileprivate func packed() -> SourceScan.Sector { changingPatches { $0.pack() } }

  private func changingPatches<Failure: Error>(
    _ change: (inout ImagePatch) throws(Failure) -> Void
  ) throws(Failure) -> SourceScan.Sector {
    var (work, use) = (work, cacheUse)
    try work.changePatches(change)
    if var patch = use?.patch {
      try change(&patch)
      use?.patch = patch
    }
    return SourceScan.Sector(work, files: files, cacheUse: use)
  }

  /// The bytes of pixels and weights that travel with the sector.
  fileprivate var byteCount: Int {
    work.patches.reduce(cacheUse?.patch?.byteCount ?? 0) { $0 + $1.byteCount }
  }
}

extension ImageJob {
  /// The sector with its pixels packed, if that is how they reach the system sooner.
  func packed(
    _ sector: SourceScan.Sector, for task: TaskID, on recipient: SectorRecipient,
    _ choices: PackingChoices
  ) -> SourceScan.Sector {
    let bytes = sector.byteCount
    guard settings.coding.format == .int16, bytes >= PackingChoices.leastBytes else {
      return sector
    }
    var sector = sector
    if choices.packs(for: recipient.incarnation) {
      let begin = ContinuousClock.now
      sector = sector.packed()
      choices.packed(bytes, into: sector.byteCount, for: recipient.incarnation, since: begin)
    }
    choices.sent(sector.byteCount, delivery(task, to: recipient))
    return sector
  }

  package func delivered(_ task: TaskID, to recipient: SectorRecipient, in seconds: Double) {
    references?.packing.delivered(delivery(task, to: recipient), in: seconds)
  }

  private func delivery(
    _ task: TaskID, to recipient: SectorRecipient
  ) -> PackingChoices.Delivery {
    PackingChoices.Delivery(image: holdings.image, task: task, system: recipient.incarnation)
  }
}
