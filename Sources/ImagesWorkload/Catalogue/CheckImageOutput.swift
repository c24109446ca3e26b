import Foundation
import SkyCatalog
import SkyDetection
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyScan

/// The background of an image, for check images.
struct CheckedImage: Sendable {
  private let header: String
  private let width: Int
  private let height: Int
  private let background: Background
  private let noise: Background

  /// - Returns: `nil` if the image has no background yet.
  init?(_ job: ImageJob) {
    guard let background = job.background, let noise = job.noiseMap else { return nil }
    (header, width, height) = (job.image.fullHeader, job.image.width, job.image.height)
    (self.background, self.noise) = (background, noise)
  }

  /// Appends the unit of a file for the image.
  ///
  /// - Parameter isExtension: whether the unit is one of several.
  fileprivate func append(
    _ kind: CheckImage.Kind, isExtension: Bool, _ append: (Data) throws -> Void
  ) throws {
    let map =
      switch kind {
      case .background: background
      case .noise: noise
      }
    try append(
      CheckImage.header(header, width: width, height: height, isExtension: isExtension))
    for row in stride(from: 0, to: height, by: Self.bandHeight) {
      let band = PixelRectangle(
        x: 0, y: row, width: width, height: min(Self.bandHeight, height - row))
      try append(CheckImage.data(of: map.levels(in: band)))
    }
    try append(CheckImage.filling(behind: width * height))
  }

  /// Rows that are in memory at a time.
  private static let bandHeight = 64
}

/// The place of a check image, which has the maps of all images of a file.
struct CheckImageOutput: Sendable {
  let file: OutputFile
  private let kind: CheckImage.Kind

  init(unchecked check: CheckImage) {
    (file, kind) = (OutputFile(unchecked: check.path), check.kind)
  }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - images: the images, in their order.
  ///   - areSeveral: whether the image's file has several images, so that each has an extension here, too.
  /// - Throws: `OutputFileError`; `CancellationError`.
  fileprivate func write(
    _ images: [CheckedImage], areSeveral: Bool
  ) async throws -> WrittenFile {
    var size = 0
    try await file.write { append in
      func put(_ data: Data) throws {
        size += data.count
        try append(data)
      }
      if areSeveral { try put(CheckImage.primary(imageCount: images.count)) }
      for image in images { try image.append(kind, isExtension: areSeveral, put) }
    }
    return WrittenFile(path: file.path, size: size)
  }
}

extension [CheckImageOutput] {
  /// Writes all files; none if there are no images.
  ///
  /// - Parameters:
  ///   - images: the images, in their order.
  ///   - areSeveral: whether the image's file has several images.
  ///   - inputs: the files that the images depend on.
  ///   - written: gets the files.
  /// - Throws: ``ChangedFile`` if an input has changed; `OutputFileError`; `CancellationError`.
  func write(
    _ images: [CheckedImage], areSeveral: Bool, from inputs: [OpenedFile],
    to written: inout WrittenFiles
  ) async throws {
    guard !images.isEmpty else { return }
    for check in self {
      try inputs.checkUnchanged()
      let file = try await check.write(images, areSeveral: areSeveral)
      written.add(file, WrittenLine.checkImage(file.path))
    }
  }
}

/// The files that were written.
struct WrittenFiles {
  private(set) var files: [WrittenFile] = []
  /// A line for each file.
  private(set) var lines: [String] = []

  mutating func add(_ file: WrittenFile, _ line: String) {
    files.append(file)
    lines.append(line)
  }
}
