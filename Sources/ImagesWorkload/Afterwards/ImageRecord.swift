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

  init(_ image: FITSImage, _ weights: FITSImage?) {
    self.image = File(image)
    self.weights = weights.map { File($0) }
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
