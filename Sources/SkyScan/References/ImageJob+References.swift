import SkyDetection
import SkyFITS
package import SkyNetCore

extension ImageJob: ReferringJob {
  /// Makes a task's data for a system: with the pixels, with the files that have them, if the system
  /// may be able to read those, or with neither, if the system keeps them since an earlier task.
  ///
  /// - Throws: `FITSError` if a file cannot be read.
  package func sector(
    for task: TaskID, on recipient: SectorRecipient
  ) async throws -> SourceScan.Sector {
    guard !recipient.isLocal else { return try await sector(for: task) }
    if let cached = try await cachedSector(for: task, on: recipient) { return cached }
    let ways = await ways(to: recipient)
    var sector = try await unreferredSector(
      for: task, on: recipient,
      without: LeftOut(image: ways.image != nil, weights: ways.weights != nil))
    let rectangles = sector.rectangles
    let bytes = bytes(of: rectangles)
    let parts = [(ways.image != nil, bytes.image), (ways.weights != nil, bytes.weights)]
    let (read, sent) = (parts.filter(\.0).map(\.1), parts.filter { !$0.0 }.map(\.1))
    guard read.allSatisfy({ $0 <= FileReference.mostBytes }) else {
      return try await self.sector(for: task)
    }
    references?.count(read: read.reduce(0, +), sent: sent.reduce(0, +))
    guard let references, !rectangles.isEmpty else { return sector }
    guard !read.isEmpty else { return packed(sector, for: task, on: recipient, references.packing) }
    let seed = [task.pass, task.sector]
    var files = SectorFiles(
      image: try await references.reference(ways.image, of: image, rectangles, seed),
      weights: try await references.reference(ways.weights, of: weights, rectangles, seed))
    files.proof = await references.proof(
      for: files.provenBytes(settings(for: task), rectangles), to: recipient)
    sector.files = files
    return sector
  }

  /// A task's data without what its system reads itself. A patch that later tasks need comes with it,
  /// for the system to keep.
  private func unreferredSector(
    for task: TaskID, on recipient: SectorRecipient, without leftOut: LeftOut
  ) async throws -> SourceScan.Sector {
    var job = self
    job.leavesOut = leftOut
    guard let rectangle = keptRectangle(for: task, on: recipient) else {
      return SourceScan.Sector(try await job.work(for: task))
    }
    let patch = try await job.patch(rectangle)
    return try await sectorWithoutPixels(for: task, keeping: patch, on: recipient)
  }

  /// Notes that the system does not read the file, or keeps no pixels.
  package func refused(
    _ refusal: SectorDataRefused, by recipient: SectorRecipient, for task: TaskID
  ) async {
    if let refusal = CacheRefusal(refusal) {
      return await refusedCached(refusal, by: recipient, for: task)
    }
    guard let references else { return }
    guard let (role, refusal) = FileRole.parse(refusal.code) else {
      // A later version may refuse for reasons that this one does not know.
      for path in [image.path, weights?.path].compactMap({ $0 }) {
        references.refused(.unreadable, path, by: recipient)
      }
      return
    }
    await uncount(task, role, for: recipient)
    // It has not read the patch that it was to keep, either.
    holdings.dropped(task.sector, by: recipient.incarnation)
    let path = role == .image ? image.path : weights?.path
    references.refused(refusal, path ?? image.path, by: recipient)
  }

  /// Takes back what was counted for a sector of which a system has refused one of the files.
  private func uncount(_ task: TaskID, _ role: FileRole, for recipient: SectorRecipient) async {
    var job = self
    job.watcher = nil
    let leftOut = LeftOut(image: true, weights: true)
    guard
      let sector = try? await job.unreferredSector(for: task, on: recipient, without: leftOut)
    else { return }
    let bytes = bytes(of: sector.rectangles)
    let ways = await ways(to: recipient)
    let parts = [
      (role == .image || ways.image != nil, bytes.image),
      (role == .weights || ways.weights != nil, bytes.weights),
    ]
    for (isRead, bytes) in parts {
      references?.count(read: isRead ? -bytes : 0, sent: isRead ? 0 : -bytes)
    }
  }

  private func bytes(of rectangles: [PixelRectangle]) -> (image: Int, weights: Int) {
    let pixels = rectangles.reduce(0) { $0 + $1.width * $1.height }
    return (
      pixels * image.coding.format.bytesPerPixel,
      pixels * (weights?.coding.format.bytesPerPixel ?? 0)
    )
  }

  private func ways(
    to recipient: SectorRecipient
  ) async -> (image: FileWay?, weights: FileWay?) {
    (
      await references?.way(to: image, for: recipient),
      await references?.way(to: weights, for: recipient)
    )
  }
}

/// A file that a system reads, and whether it may be another one than here.
private struct FileWay {
  let file: ReferableFile
  let isCopy: Bool
}

extension FileReferences {
  /// How many blocks of a sector are compared, where the file is the same by its stamp.
  private static let challengeCount = 8

  /// The image's file, if the system is to read it.
  fileprivate func way(to image: FITSImage?, for system: SectorRecipient) async -> FileWay? {
    guard let image else { return nil }
    let way = way(of: image.path, to: system)
    guard way != .sent, let file = await image.referableFile() else { return nil }
    return FileWay(file: file, isCopy: way == .copy || !file.isSettled)
  }

  fileprivate func reference(
    _ way: FileWay?, of image: FITSImage?, _ rectangles: [PixelRectangle], _ seed: [Int]
  ) async throws -> FileReference? {
    guard let way, let image else { return nil }
    let layout = way.file.layout
    let challenge =
      way.isCopy
      ? nil
      : layout.randomBlocks(Self.challengeCount, of: rectangles, key: key, seed: seed)
    let blocks = challenge?.map { $0..<$0 + 1 } ?? layout.blocks(of: rectangles)
    return FileReference(
      paths: paths(of: way.file), stamp: way.file.stamp, start: layout.start, key: key,
      challenge: challenge, digests: try await image.digests(of: blocks, key: key))
  }
}

/// Which of a patch's pixels are not read here.
struct LeftOut: Sendable {
  var image = false
  var weights = false
}

extension SourceScan.Sector {
  /// The rectangles whose pixels travel with the sector, or are read for it: in the files' order.
  var rectangles: [PixelRectangle] {
    cacheUse.map { $0.patch.map { [$0.rectangle] } ?? [] } ?? work.patches.map(\.rectangle)
  }
}
