import SkyDetection
import SkyNetCore

/// A sector's patch travels to a system once, with the first of the sector's tasks there: it holds the
/// pixels of the sector's background, those of its detection, and nearly all that components need.
extension ImageJob {
  /// What the system is to keep of a task's data; `nil` if later tasks need none of it, or if the
  /// system has no cache.
  func keptRectangle(for task: TaskID, on recipient: SectorRecipient) -> PixelRectangle? {
    let isKept =
      task.pass == Pass.background
      || (task.pass == Pass.detection && background != nil && !isLastUse(task))
    guard isKept, holdings.mayKeep(recipient.incarnation) else { return nil }
    return settings.grid.patch(task.sector)
  }

  /// The task's data without pixels, if the system keeps those of all patches.
  func cachedSector(
    for task: TaskID, on recipient: SectorRecipient
  ) async throws -> SourceScan.Sector? {
    guard task.pass != Pass.background, task.pass != Pass.whole,
      holdings.mayKeep(recipient.incarnation)
    else { return nil }
    let work = try await workWithoutPixels(for: task)
    let patches = work.patches
    let isKept = patches.allSatisfy { patch in
      holdings.has(
        oneOf: settings.grid.sectors(holding: patch.rectangle), recipient.incarnation)
    }
    guard isKept, !patches.isEmpty else { return nil }
    let isLast = isLastUse(task)
    if isLast { holdings.dropped(task.sector, by: recipient.incarnation) }
    return SourceScan.Sector(work, cacheUse: CacheUse(image: holdings.image, isLast: isLast))
  }

  /// The task's data with a patch to keep.
  func sectorWithoutPixels(
    for task: TaskID, keeping patch: ImagePatch, on recipient: SectorRecipient
  ) async throws -> SourceScan.Sector {
    holdings.given(task.sector, to: recipient.incarnation)
    return SourceScan.Sector(
      try await workWithoutPixels(for: task),
      cacheUse: CacheUse(image: holdings.image, patch: patch))
  }

  /// Whether a system need not keep a sector's patch after this task. The few components that a later pass scans
  /// without cleaning are not worth the memory.
  private func isLastUse(_ task: TaskID) -> Bool {
    task.pass == Pass.detection && !hasCleaningPass
  }

  private func workWithoutPixels(for task: TaskID) async throws -> SourceWork {
    var job = self
    job.leavesOut = LeftOut(image: true, weights: true)
    // What watches has seen these pixels, or sees them with the patch.
    job.watcher = nil
    return try await job.work(for: task)
  }

  /// Notes that the system has no pixels for the task.
  func refusedCached(
    _ refusal: CacheRefusal, by recipient: SectorRecipient, for task: TaskID
  ) async {
    let patches = (try? await workWithoutPixels(for: task))?.patches ?? []
    let sectors = patches.flatMap { settings.grid.sectors(holding: $0.rectangle) }
    holdings.refused(refusal, sectors, by: recipient.incarnation)
  }
}

extension SectorGrid {
  /// The sectors whose patches hold the rectangle, which must be within the image.
  fileprivate func sectors(holding rectangle: PixelRectangle) -> [Int] {
    let columns = rectangle.x / side...(rectangle.x + rectangle.width - 1) / side
    let rows = rectangle.y / side...(rectangle.y + rectangle.height - 1) / side
    return rows.flatMap { row in columns.map { row * self.columns + $0 } }
      .filter { patch($0).holds(rectangle) }
  }
}
