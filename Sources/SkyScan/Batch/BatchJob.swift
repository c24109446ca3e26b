import Foundation
import SkyDetection
package import SkyFITS
package import SkyNetCore

/// One step of a batch, done by an engagement: sectors of an image are scanned for their parts of the background, or
/// for the sources over it, and come out as the documents that ``BatchScan`` joins.
///
/// Several engagements may each scan a share of an image this way. ``BatchScan/job(_:over:references:_:)`` makes
/// the job.
package struct BatchJob: PartialJob, ReferringJob {
  package typealias Work = SourceScan

  package let chosenSectors: [Range<Int>]
  /// The file that has the background; `nil` if the step makes the sectors' parts of it.
  package let backgroundFile: String?
  /// The hash of the background; `nil` without one.
  private let backgroundHash: String?
  /// Makes the tasks and checks the findings. It takes none itself.
  private let imageJob: ImageJob
  /// The pass of the image's job that the step is.
  private let pass: Int
  private let key: String
  private let take: @Sendable (SectorDocument) throws -> Void

  init(
    _ imageJob: ImageJob, pass: Int, key: String, sectors: [Range<Int>],
    over background: (file: String, hash: String)?,
    _ take: @escaping @Sendable (SectorDocument) throws -> Void
  ) {
    var imageJob = imageJob
    // Each sector has one task, so a patch that a system kept would never be used.
    imageJob.systemsKeepPatches = false
    self.imageJob = imageJob
    self.pass = pass
    self.key = key
    chosenSectors = sectors
    (backgroundFile, backgroundHash) = (background?.file, background?.hash)
    self.take = take
  }

  package var keepsData: Bool { false }
  package var image: FITSImage { imageJob.image }
  package var weights: FITSImage? { imageJob.weights }
  package var settings: SourceScan.Settings { imageJob.settings }
  package var sectorCount: Int { imageJob.sectorCount }
  package var name: String { imageJob.name }
  package var passes: [(name: String, weight: Double)] {
    [(pass == ImageJob.Pass.background ? "background" : "detection", 1)]
  }

  package func leastMemory(slots: Int) -> Int { imageJob.leastMemory(slots: slots) }

  package func identity() async throws -> JobIdentity {
    return JobIdentity(
      try await imageJob.identity().facts + [
        .init("step", passes[0].name), .init("chosen sectors", chosenSectors.listed),
        .init("background", backgroundHash ?? "none"),
      ])
  }

  /// The task of the image's job.
  private func task(_ task: TaskID) -> TaskID { TaskID(pass: pass, sector: task.sector) }

  // MARK: Tasks

  package func sector(for task: TaskID) async throws -> SourceScan.Sector {
    try await imageJob.sector(for: self.task(task))
  }

  package func sector(
    for task: TaskID, on recipient: SectorRecipient
  ) async throws -> SourceScan.Sector {
    try await imageJob.sector(for: self.task(task), on: recipient)
  }

  package func refused(
    _ refusal: SectorDataRefused, by recipient: SectorRecipient, for task: TaskID
  ) async {
    await imageJob.refused(refusal, by: recipient, for: self.task(task))
  }

  package func delivered(_ task: TaskID, to recipient: SectorRecipient, in seconds: Double) {
    imageJob.delivered(self.task(task), to: recipient, in: seconds)
  }

  // MARK: Findings

  package func outputLimit(for task: TaskID) -> OutputLimit {
    imageJob.outputLimit(for: self.task(task))
  }

  package func check(_ output: SourceScan.Findings, for task: TaskID) throws {
    try imageJob.check(output, for: self.task(task))
  }

  /// Passes the findings on as the sector's document. The result is how many meshes or sources they have; a source
  /// that a sector's border cuts is counted where `merge` joins it.
  package mutating func receive(
    _ output: SourceScan.Findings, for task: TaskID
  ) throws -> ReceivedResult {
    try take(
      SectorDocument(
        key: key, pass: pass, sector: task.sector, findings: output, files: imageJob.files))
    switch output.found {
    case .background(let list): return ReceivedResult(result: list.skies.count)
    case .sources(let list, _, _), .whole(let list, _):
      return ReceivedResult(result: list.sources.count)
    }
  }
}
