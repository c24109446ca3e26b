// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyDetection
import SkyFITS
package import SkyFiles
import SkyNetCore
import Synchronization

import struct Foundation.Data

/// The files that a node reads for engagements that name them.
package final class DataAccess: Sendable {
  /// `nil` if only engagements of this machine and account may name files.
  private let directories: DataDirectories?
  private let ownAccount: DataDirectories
  private let door: AccountDoor
  private let count = Atomic<Int>(0)

  /// The number of bytes of pixels and weights that were read.
  package var readBytes: Int { count.load(ordering: .relaxed) }

  /// - Parameters:
  ///   - directories: the directories with files that every engagement may name. Without any, only
  ///     an engagement of this machine and account may name files.
  ///   - ownFiles: files and directories that are never read.
  ///   - door: where those of this machine and account are.
  /// - Throws: `FITSError` if one of the directories does not exist.
  package init(_ directories: [String], ownFiles: [String], door: AccountDoor = .own) throws {
    self.door = door
    self.directories =
      directories.isEmpty ? nil : try DataDirectories(directories, ownFiles: ownFiles)
    ownAccount = DataDirectories(everythingExcept: ownFiles)
  }

  /// The work with the pixels of these files in its patches.
  ///
  /// - Parameter compared: called for each file between the comparison and the reading.
  /// - Throws: `SectorDataRefused` if a file may not be read, or is not the engaging side's;
  ///   ``InvalidScan`` if the patches are not within the image, or have pixels already;
  ///   `CancellationError`.
  func fill(
    _ work: SourceWork, from files: SectorFiles, _ settings: SourceScan.Settings,
    compared: () throws -> Void = {}
  ) throws -> SourceWork {
    let patches = work.patches
    for patch in patches { try patch.checkPlace(settings) }
    let rectangles = patches.map(\.rectangle)
    var work = work
    if let reference = files.image {
      let pixels = try read(
        rectangles, of: reference, files, .image, settings.coding, settings, compared)
      try work.fill(\.pixels, with: pixels)
    }
    if let reference = files.weights {
      guard let coding = settings.weightCoding else {
        throw InvalidScan("a file with weights, for an image without them")
      }
      let weights = try read(
        rectangles, of: reference, files, .weights, coding, settings, compared)
      try work.fill(\.weightPixels, with: weights)
    }
    return work
  }

  private func read(
    _ rectangles: [PixelRectangle], of reference: FileReference, _ files: SectorFiles,
    _ role: FileRole, _ coding: PixelCoding, _ settings: SourceScan.Settings,
    _ compared: () throws -> Void
  ) throws -> [Data] {
    let layout = PlainLayout(
      start: reference.start, width: settings.grid.width, height: settings.grid.height,
      format: coding.format)
    let bytes = rectangles.reduce(0) { $0 + $1.width * $1.height * coding.format.bytesPerPixel }
    do {
      guard bytes <= FileReference.mostBytes else { throw DataRefusal.tooLarge }
      let file = try open(reference, in: try directories(for: files, settings, rectangles))
      try file.check(size: reference.stamp)
      guard layout.isWithin(size: reference.stamp.state.size) else { throw DataRefusal.otherSize }
      let pixels =
        if let challenge = reference.challenge {
          try read(rectangles, of: layout, in: file, reference, challenge, compared)
        } else {
          try readCopy(rectangles, of: layout, in: file, reference, compared)
        }
      count.add(bytes, ordering: .relaxed)
      return pixels
    } catch let refusal as DataRefusal {
      throw SectorDataRefused(code: role.code(refusal), reason: refusal.fault)
    }
  }

  private func directories(
    for files: SectorFiles, _ settings: SourceScan.Settings, _ rectangles: [PixelRectangle]
  ) throws(DataRefusal) -> DataDirectories {
    if let directories { return directories }
    guard let proof = files.proof,
      door.isProof(proof, for: files.provenBytes(settings, rectangles))
    else { throw .noAccess }
    return ownAccount
  }

  /// Opens the first of the paths under which there is a file that may be read.
  private func open(
    _ reference: FileReference, in directories: DataDirectories
  ) throws(DataRefusal) -> ReferencedFile {
    var refusal = DataRefusal.outside
    for path in reference.paths.prefix(FileReference.mostPaths) {
      do throws(DataRefusal) {
        return try ReferencedFile(path, in: directories)
      } catch {
        if refusal == .outside { refusal = error }
      }
    }
    throw refusal
  }

  /// Reads the file of which some blocks are compared.
  private func read(
    _ rectangles: [PixelRectangle], of layout: PlainLayout, in file: ReferencedFile,
    _ reference: FileReference, _ challenge: [Int], _ compared: () throws -> Void
  ) throws -> [Data] {
    let digests = reference.digestNumbers
    guard digests.count == challenge.count, challenge.count <= FileReference.mostChallenges,
      challenge.allSatisfy({ (0..<reference.stamp.state.size).contains($0) })
    else { throw InvalidScan("\(challenge.count) blocks with \(digests.count) digests") }
    try file.check(
      is: reference.stamp, digests: Array(zip(challenge, digests)), key: reference.key)
    try compared()
    let pixels = try rectangles.map { rectangle in
      try Task.checkCancellation()
      return try file.pixels(in: rectangle, of: layout)
    }
    try file.checkUnchanged()
    return pixels
  }

  /// Reads the file of which all blocks are compared that are read.
  private func readCopy(
    _ rectangles: [PixelRectangle], of layout: PlainLayout, in file: ReferencedFile,
    _ reference: FileReference, _ compared: () throws -> Void
  ) throws -> [Data] {
    let blocks = layout.blocks(of: rectangles)
    let digests = reference.digestNumbers
    guard digests.count == blocks.reduce(0, { $0 + $1.count }) else {
      throw InvalidScan("\(digests.count) digests of other blocks than those with the pixels")
    }
    let expected = Dictionary(uniqueKeysWithValues: zip(blocks.joined(), digests))
    try compared()
    return try rectangles.map { rectangle in
      try Task.checkCancellation()
      return try file.pixels(
        in: rectangle, of: layout, comparedWith: expected, key: reference.key)
    }
  }
}

/// What a file has of a sector.
enum FileRole: String, CaseIterable {
  case image, weights

  /// The code of a refusal of this file.
  func code(_ refusal: DataRefusal) -> String { "\(rawValue) \(refusal.rawValue)" }

  /// What such a code says; `nil` if it is no such code.
  static func parse(_ code: String) -> (FileRole, DataRefusal)? {
    let words = code.split(separator: " ").map(String.init)
    guard words.count == 2, let role = FileRole(rawValue: words[0]),
      let refusal = DataRefusal(rawValue: words[1])
    else { return nil }
    return (role, refusal)
  }
}

extension SourceWork {
  /// Gives each patch its pixels, or its weights.
  ///
  /// - Throws: ``InvalidScan`` if a patch has some already.
  fileprivate mutating func fill(
    _ place: WritableKeyPath<ImagePatch, BulkBytes>, with pixels: [Data]
  ) throws {
    var rest = pixels[...]
    try changePatches { patch in
      guard patch[keyPath: place].bytes.isEmpty, let next = rest.popFirst() else {
        throw InvalidScan("\(patch.rectangle) has pixels although a file is named that has them")
      }
      patch[keyPath: place] = BulkBytes(next)
    }
  }
}

extension ImagePatch {
  fileprivate var weightPixels: BulkBytes {
    get { weights ?? BulkBytes(Data()) }
    set { weights = newValue }
  }
}
