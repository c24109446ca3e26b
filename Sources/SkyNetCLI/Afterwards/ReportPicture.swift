import SkyFITS
import SkyNetCore
import SkyNetJournal
import SkyNetReport
import SkyPicture

/// The small picture of a run's image in its report. The journal has no pixels, so the image's file is read again,
/// if it is still where it was.
enum ReportPicture {
  /// - Returns: `nil` if the run scanned no image, or the file is no longer there, or has other contents.
  static func make(for setup: RunSetup, of job: JobIdentity) async -> RunReport.Picture? {
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
