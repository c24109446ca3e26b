import SkyDetection
import SkyNetCore

extension SourceWork {
  /// The work with the pixels of its patches, out of the patch that came with it or one that is
  /// kept. A patch that came is kept.
  ///
  /// - Throws: ``InvalidScan`` if the patches are not valid; `SectorDataRefused` if their pixels
  ///   are not kept here.
  func filled(
    from cache: PixelCache?, _ use: CacheUse, _ settings: SourceScan.Settings
  ) throws -> SourceWork {
    let format = CachedFormat(settings)
    if let patch = use.patch {
      try patch.check(settings)
      if !use.isLast { cache?.keep(patch, of: use.image, format, isUsed: !isFirstUse) }
    } else if cache == nil {
      throw CacheRefusal.none.refusal
    }
    var work = self
    try work.changePatches { patch in
      guard patch.pixels.bytes.isEmpty, patch.weights == nil else {
        throw InvalidScan("\(patch.rectangle) has pixels although they are to be kept ones")
      }
      try patch.checkPlace(settings)
      let holder =
        use.patch
        ?? cache?.patch(
          holding: patch.rectangle, of: use.image, format, isLast: use.isLast)
      guard let holder else { throw CacheRefusal.gone.refusal }
      guard holder.rectangle.holds(patch.rectangle) else {
        throw InvalidScan("\(patch.rectangle) beside the patch that came with it")
      }
      patch =
        holder.rectangle == patch.rectangle ? holder : holder.part(patch.rectangle, settings)
    }
    return work
  }

  /// Whether a later pass needs the same pixels.
  private var isFirstUse: Bool {
    if case .background = self { true } else { false }
  }
}
