// What this file codes is frozen by the version of `SourceScan.kind`.

import Foundation
import SkyDetection
package import SkyFITS
import SkyFiles
import SkyNetCore

/// The scan of one image in steps, with its sectors in many processes of a batch system. The steps are those of an
/// ``ImageJob``, and the catalogue is the same.
///
/// First, ``scan(_:over:_:)`` makes sectors' parts of the background, and ``background(from:)`` joins
/// the parts. Then ``scan(_:over:_:)`` finds sectors' sources over the background, and
/// ``catalog(from:over:)`` joins them. The processes exchange JSON documents.
package struct BatchScan: Sendable {
  private let job: ImageJob
  /// The file whose cards replace those of the image's header; `nil` if none do.
  private let headerFile: BackgroundDocument.HeaderFile?

  package var image: FITSImage { job.image }
  /// The number of sectors. Sectors are numbered from 0.
  package var sectorCount: Int { job.sectorCount }
  /// The largest size of a sector's document, in bytes.
  package var mostDocumentBytes: Int { SectorDocument.mostBytes(job.settings) }

  /// - Throws: ``InvalidScan`` if a setting is not allowed, or the weights are not the image's.
  package init(
    image: FITSImage, weights: FITSImage? = nil, settings: SourceScan.Settings,
    headerFile: BackgroundDocument.HeaderFile? = nil
  ) throws {
    self.headerFile = headerFile
    job = try ImageJob(image: image, weights: weights, settings: settings)
  }

  /// Scans sectors, one after the other: without a background for their parts of it, else for the
  /// sources over it.
  ///
  /// - Parameter take: receives each sector's document when it is made.
  /// - Throws: ``InvalidScan`` if there is no such sector, or the background is from another scan;
  ///   ``FITSError`` if the image cannot be read; what `take` throws.
  package func scan(
    _ sectors: [Range<Int>], over background: BackgroundDocument?,
    _ take: (SectorDocument) throws -> Void
  ) async throws {
    let job = try background.map(resumedJob) ?? job
    let pass = background == nil ? ImageJob.Pass.background : ImageJob.Pass.detection
    let key = key(ofPass: pass)
    // Before any of them is scanned.
    for range in sectors where !range.isEmpty {
      for sector in [range.lowerBound, range.upperBound - 1]
      where !(0..<sectorCount).contains(sector) {
        throw InvalidScan("sector \(sector); this image has sectors 0 to \(sectorCount - 1)")
      }
    }
    for number in sectors.joined() {
      let sector = try await job.sector(for: TaskID(pass: pass, sector: number))
      let findings = try await job.scan.run(sector, settings: job.settings)
      try take(
        SectorDocument(
          key: key, pass: pass, sector: number, findings: findings, files: job.files))
    }
  }

  /// Returns the next document and its name, for errors; `nil` after the last one.
  package typealias NextDocument = () throws -> (name: String, document: SectorDocument)?

  /// The image's background, of the sectors' documents.
  ///
  /// - Throws: ``InvalidScan`` unless there is exactly one document of this scan for each sector.
  package func background(from next: NextDocument) throws -> BackgroundDocument {
    var job = job
    try take(next, pass: ImageJob.Pass.background, into: &job)
    // A document of each sector was taken.
    guard let background = job.background else { throw InvalidScan("a background without sectors") }
    return BackgroundDocument(
      key: key(ofPass: ImageJob.Pass.detection), settings: job.settings,
      headerFile: headerFile, background: background, files: job.files)
  }

  /// The catalogue, of the sectors' documents. This call scans the components that cross sectors'
  /// borders.
  ///
  /// - Returns: the complete job.
  /// - Throws: ``InvalidScan`` unless there is exactly one document of this scan for each sector;
  ///   ``FITSError`` if the image cannot be read.
  package func catalog(
    from next: NextDocument, over background: BackgroundDocument
  ) async throws -> ImageJob {
    var job = try resumedJob(over: background)
    var ranges = try take(next, pass: ImageJob.Pass.detection, into: &job)[...]
    while let range = ranges.popFirst() {
      for number in range.sectors {
        let task = TaskID(pass: range.pass, sector: number)
        let findings = try await job.scan.run(
          try await job.sector(for: task), settings: job.settings)
        try job.check(findings, for: task)
        ranges += try job.receive(findings, for: task).added
      }
    }
    return job
  }

  // MARK: Documents

  /// The key that identifies this scan: a hash of the image's header, of how the image is cut, and
  /// of the settings that a pass depends on. The pixels are not part of it, because each process
  /// would have to read them all.
  private func key(ofPass pass: Int) -> String {
    let settings = job.settings
    let grid = settings.grid
    var facts = [
      JobIdentity.Fact("header", job.image.header), .init("weights", job.weights?.header ?? ""),
      .init("image size", "\(grid.width) × \(grid.height)"), .init("sector size", "\(grid.side)"),
      .init("mesh", "\(settings.mesh)"), .init("kind", "\(SourceScan.kind)"),
    ]
    for (name, image) in [("extension", job.image), ("weights extension", job.weights)] {
      // Several images of one file may have equal headers.
      guard let image, image.isOneOfSeveral else { continue }
      facts.append(.init(name, "\(image.extensionNumber)"))
    }
    if pass != ImageJob.Pass.background {
      facts.append(.init("halo", "\(grid.halo)"))
      facts += settings.detection.facts
    }
    var hash = ContentsHash()
    for fact in facts { hash.add("\(fact.name)=\(fact.value)\n".utf8) }
    return hash.text
  }

  /// Checks that a document is not of a former version of the files that are open here. Copies are other files:
  /// they may have other contents.
  ///
  /// - Throws: ``InvalidScan``.
  private func checkVersion(of files: [FileStamp], _ name: String, _ nextStep: String) throws {
    for image in [job.image, job.weights].compactMap(\.self)
    where files.contains(where: { $0.isOtherVersion(of: image.stamp) }) {
      throw InvalidScan(
        "\(image.path) has been changed (its contents, times or names) since \(name) was made from it; "
          + nextStep)
    }
  }

  private func resumedJob(over document: BackgroundDocument) throws -> ImageJob {
    guard document.key == key(ofPass: ImageJob.Pass.detection) else {
      throw InvalidScan(
        "the background is of another image or other settings, or another version of the scan made "
          + "it; make it anew from this image")
    }
    try checkVersion(of: document.files, "the background", "make it anew from this image")
    guard document.isSound(in: job.settings.grid) else {
      throw InvalidScan("the numbers in the background's file are impossible; make it again")
    }
    var job = job
    job.resume(over: document.background)
    return job
  }

  /// Gives a job the findings of all sectors in a pass. Returns the tasks that follow.
  @discardableResult
  private func take(
    _ next: NextDocument, pass: Int, into job: inout ImageJob
  ) throws -> [TaskRange] {
    let key = key(ofPass: pass)
    var sources: [Int: String] = [:]
    var added: [TaskRange] = []
    while let (name, document) = try next() {
      guard document.pass == pass else {
        let (there, needed) =
          pass == ImageJob.Pass.background
          ? ("sources", "the background's") : ("background", "the sources'")
        throw InvalidScan("\(name) is of the \(there), and \(needed) sectors are needed")
      }
      guard document.key == key else {
        throw InvalidScan(
          "\(name) is of another image or other settings, or another version of the scan made it; "
            + "scan its sector again")
      }
      try checkVersion(of: document.files, name, "scan its sector again")
      guard (0..<sectorCount).contains(document.sector) else {
        throw InvalidScan("\(name) is of a sector that the image does not have; scan it again")
      }
      if let other = sources.updateValue(name, forKey: document.sector) {
        throw InvalidScan("\(name) and \(other) are both of sector \(document.sector); give one")
      }
      let task = TaskID(pass: pass, sector: document.sector)
      do {
        try job.check(document.findings, for: task)
      } catch {
        throw InvalidScan("\(name) has impossible contents: \(error); scan its sector again")
      }
      added += try job.receive(document.findings, for: task).added
    }
    let missing = (0..<sectorCount).filter { sources[$0] == nil }
    guard missing.isEmpty else {
      let first = missing.prefix(10).map { "\($0)" }.joined(separator: ", ")
      let ranges = RangeSet(missing.map { $0..<$0 + 1 }).ranges.prefix(100).map {
        $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound - 1)"
      }
      throw InvalidScan(
        "\(missing.count) of \(sectorCount) sectors are missing: \(first)"
          + "\(missing.count > 10 ? ", …" : ""); scan them first, with --sectors "
          + ranges.joined(separator: ","))
    }
    return added
  }
}

extension ImageJob {
  /// The files that are scanned.
  fileprivate var files: [FileStamp] { [image, weights].compactMap { $0?.stamp } }
}
