import Foundation
import SkyFITS
import SkyNetCommand
import SkyNetCore
import SkyNetJournal
import SkyScan

/// What the journal keeps of a run over one image, so that the image can be found again.
struct ImageRecord: Codable, Sendable {
  struct File: Codable, Sendable {
    /// The absolute path.
    let path: String
    /// The number of the image in the file.
    let image: Int
  }

  let image: File
  /// The weights of the image's pixels.
  let weights: File?
  /// The absolute path of the file with the background over which sources are found; `nil` if the job makes its own.
  let background: String?

  init(_ image: FITSImage, _ weights: FITSImage?, background: String? = nil) {
    self.image = File(image)
    self.weights = weights.map { File($0) }
    self.background = background
  }

  /// `nil` if the run was of no image, or of many, of which each is recorded as a part.
  init?(in setup: RunSetup) {
    guard let workload = setup.workload, workload.name == Images.name,
      let record = try? workload.record.map({
        try JSONDecoder().decode(Self.self, from: Data($0.utf8))
      })
    else { return nil }
    self = record
  }
}

extension ImageRecord.File {
  fileprivate init(_ image: FITSImage) {
    self.init(path: URL(fileURLWithPath: image.path).path, image: image.extensionNumber)
  }
}
