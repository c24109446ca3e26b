import Foundation
import SkyFITS
import SkyNetCore
import SkyNetJournal
import SkyScan

/// What the journal keeps of a run over one image, so that the image can be found again.
struct ImageRecord: Codable {
  private static let workload = "image"

  struct File: Codable {
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

  /// `nil` if the job is of no image, or of many, each of which has its own record as a part.
  init?(of job: some Job) {
    switch job {
    case let job as ImageJob: self.init(job.image, job.weights)
    case let job as BatchJob: self.init(job.image, job.weights, background: job.backgroundFile)
    default: return nil
    }
  }

  private init(_ image: FITSImage, _ weights: FITSImage?, background: String? = nil) {
    self.image = File(image)
    self.weights = weights.map { File($0) }
    self.background = background
  }

  /// `nil` if the process recorded no image.
  init?(in setup: RunSetup) {
    guard let workload = setup.workload, workload.name == Self.workload,
      let record = try? JSONDecoder().decode(Self.self, from: Data(workload.record.utf8))
    else { return nil }
    self = record
  }

  /// The record as a journal keeps it.
  ///
  /// - Throws: `EncodingError`.
  func recorded(by encoder: JSONEncoder) throws -> RunSetup.Workload {
    RunSetup.Workload(
      name: Self.workload, record: String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}

extension ImageRecord.File {
  fileprivate init(_ image: FITSImage) {
    self.init(path: URL(fileURLWithPath: image.path).path, image: image.extensionNumber)
  }
}
