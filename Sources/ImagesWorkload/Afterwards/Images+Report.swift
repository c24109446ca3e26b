import Foundation
import SkyDetection
import SkyFITS
import SkyNetCommand
package import SkyNetCore
package import SkyNetJournal
package import SkyNetReport
import SkyNetViews
import SkyPicture
import SkyScan

extension Images {
  package static func scene(of run: RunHistory, _ setup: RunSetup) throws -> RunReport.Scene {
    var scene = RunReport.Scene(words: words)
    // Many images do not go together in one picture.
    guard !run.isGrowing else { return scene }
    scene.grid = grid(of: setup)
    scene.points = try sources(in: run)
    return scene
  }

  /// The brightest sources that sectors of an image have found.
  private static func sources(in run: RunHistory) throws -> [RunReport.Point] {
    var found: [RunReport.Point] = []
    func keepBrightest() {
      found.sort { $0.strength > $1.strength }
      found.removeSubrange(min(found.count, RunReport.pointLimit)...)
    }
    // The last pass only measures sources again.
    try run.forEachOutput(of: SourceScan.Findings.self, before: 3) { _, findings, ended in
      guard case .sources(let list, _, _) = findings.found else { return }
      for source in list.sources
      where source.x.isFinite && source.y.isFinite && source.flux.isFinite {
        found.append(.init(x: source.x, y: source.y, strength: source.flux, at: ended))
      }
      if found.count > 4 * RunReport.pointLimit { keepBrightest() }
    }
    keepBrightest()
    return found
  }

  /// How the image was cut into sectors; `nil` if the settings cannot be used.
  private static func grid(of setup: RunSetup) -> PictureGrid? {
    guard
      let settings = try? JSONDecoder().decode(
        SourceScan.Settings.self, from: Data(setup.settings.utf8)),
      (try? settings.check()) != nil
    else { return nil }
    return PictureGrid(settings.grid)
  }

  /// The journal has no pixels, so the image's file is read again, if it is still where it was.
  /// - Returns: `nil` if the run scanned no image, or the file is no longer there, or has other contents.
  package static func picture(of setup: RunSetup, _ job: JobIdentity) async -> RunReport.Picture? {
    guard let file = ImageRecord(in: setup)?.image,
      let hash = job.facts.first(where: { $0.name == "image contents" })?.value
    else { return nil }
    do {
      let image = try await FITSImage.open(
        file.path, extension: "\(file.image)", reader: try ImageReader.process())
      guard try await image.contentsHash() == hash else {
        leftOut(file.path, "its contents are not those that the run scanned")
        return nil
      }
      return try await picture(of: image)
    } catch {
      leftOut(file.path, "\(error)")
      return nil
    }
  }

  private static func leftOut(_ path: String, _ reason: String) {
    Console.standardError.line(
      "note: the report has no picture of \(path) (\(reason))")
  }

  private static func picture(of image: FITSImage) async throws -> RunReport.Picture? {
    let preview = ImagePreview(width: image.width, height: image.height)
    try await preview.add(image)
    return try preview.png().map {
      RunReport.Picture(
        width: image.width, height: image.height, scale: preview.scale, png: $0)
    }
  }
}
