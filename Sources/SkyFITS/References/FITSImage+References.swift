import Foundation
package import SkyFiles

/// An image's file, as another process may find it.
package struct ReferableFile: Hashable, Sendable {
  /// The path that was given, and the path without symbolic links.
  package let paths: [FilePath]
  package let stamp: FileStamp
  /// Where the file stores the pixels.
  package let layout: PlainLayout
  /// Whether the file was last changed so long before it was opened that any later change gives it
  /// another change time.
  package let isSettled: Bool
}

extension FITSImage {
  /// The image's file; `nil` if it stores the pixels in another way than they are sent, or if its
  /// path leads to another file by now.
  package func referableFile() async -> ReferableFile? { await file.referable(layout.plain) }

  /// The digests of blocks of the image's file, in order. Each block is read once for each key.
  ///
  /// - Throws: ``FITSError``.
  package func digests(of blocks: [Range<Int>], key: DigestKey) async throws -> [UInt64] {
    try await file.digests(of: blocks, key: key)
  }
}

extension FITSFile {
  func referable(_ layout: PlainLayout?) -> ReferableFile? {
    guard let layout, let file, let real = FilePath.real(file.path) else { return nil }
    var status = stat()
    guard stat(real.text, &status) == 0,
      FileState(status).isSameFile(as: file.stamp.state)
    else { return nil }
    let named = FilePath(absolute: file.path)
    return ReferableFile(
      paths: [named, real].compactMap { $0 }, stamp: file.stamp, layout: layout,
      isSettled: file.stamp.state.changed < file.opened - FileState.clockTick)
  }

  func digests(of blocks: [Range<Int>], key: DigestKey) throws -> [UInt64] {
    guard let file else { return [] }
    var known = blockDigests ?? BlockDigests(key: key)
    if known.key != key { known = BlockDigests(key: key) }
    defer { blockDigests = known }
    blockDigests = nil
    return try blocks.flatMap { try known.digests(of: $0, in: file) }
  }
}

/// The digests that are known of a file's blocks.
struct BlockDigests {
  let key: DigestKey
  /// The digests, by the blocks' numbers; of a block that is not known, any number.
  private var digests: [UInt64] = []
  private var isKnown: [Bool] = []

  init(key: DigestKey) {
    self.key = key
  }

  mutating func digests(of blocks: Range<Int>, in file: InputFile) throws -> ArraySlice<UInt64> {
    let missing = blocks.upperBound - digests.count
    if missing > 0 {
      digests += repeatElement(0, count: missing)
      isKnown += repeatElement(false, count: missing)
    }
    if !isKnown[blocks].allSatisfy(\.self) {
      let made = try file.digests(of: blocks, key: key)
      // The file's last block may be before the last one that was asked for.
      let known = blocks.prefix(made.count)
      digests.replaceSubrange(known, with: made)
      isKnown.replaceSubrange(known, with: repeatElement(true, count: known.count))
      return digests[known]
    }
    return digests[blocks]
  }
}
