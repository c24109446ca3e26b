package import Foundation
package import SkyDetection
package import SkyFiles

/// A file from which this process reads pixels because another process has named it: the same file
/// as the other process's, or a copy of it.
///
/// The file is known to be the same when it is so by its ``FileStamp``, and has the same digest in
/// blocks that the other process has picked at random. Nothing of a copy is used unless its block
/// has the digest of the other process's block; the bytes that are used are the very bytes that
/// were compared.
package struct ReferencedFile {
  private let file: InputFile

  /// - Parameters:
  ///   - path: the file's path on this machine.
  ///   - directories: the files that may be read.
  package init(_ path: String, in directories: DataDirectories) throws(DataRefusal) {
    file = try directories.open(path)
    guard FileSignature(start: try read(0..<min(9, file.size))) == .fits else { throw .notFITS }
  }

  /// Checks that the file is the other process's, by its stamp and by the digests of some blocks.
  ///
  /// - Parameter digests: the numbers of blocks, with the digests that they must have.
  package func check(
    is stamp: FileStamp, digests: [(block: Int, digest: UInt64)], key: DigestKey
  ) throws(DataRefusal) {
    try check(size: stamp)
    guard file.stamp.isSameFile(as: stamp) else { throw .copy }
    guard !file.stamp.isOtherVersion(of: stamp) else { throw .otherTime }
    for (block, digest) in digests {
      guard try self.digest(of: block, key: key) == digest else { throw .otherContents }
    }
  }

  /// The pixels of a rectangle of the file that ``check(is:digests:key:)`` has accepted.
  ///
  /// - Parameter layout: a layout within the file, of an image that has the rectangle.
  package func pixels(
    in rectangle: PixelRectangle, of layout: PlainLayout
  ) throws(DataRefusal) -> Data {
    let room = PixelRoom(rectangle, layout.format)
    do {
      try PlainPixels(layout, of: file).read(rectangle, to: room.bytes)
    } catch let error as FITSError {
      throw error.code == .truncated ? .changed : .unreadable
    } catch {
      throw .unreadable
    }
    return room.take()
  }

  /// Checks that the file has not changed since it was opened, so that what was read is what was
  /// compared.
  package func checkUnchanged() throws(DataRefusal) {
    do { try file.checkUnchanged() } catch { throw .changed }
  }

  /// Checks that a copy has the size of the other process's file.
  package func check(size stamp: FileStamp) throws(DataRefusal) {
    guard file.size == stamp.state.size else { throw .otherSize }
  }

  /// The pixels of a rectangle of a copy.
  ///
  /// - Parameters:
  ///   - layout: a layout within the file, of an image that has the rectangle.
  ///   - digests: the digests that the blocks must have, by the blocks' numbers.
  package func pixels(
    in rectangle: PixelRectangle, of layout: PlainLayout, comparedWith digests: [Int: UInt64],
    key: DigestKey
  ) throws(DataRefusal) -> Data {
    let room = PixelRoom(rectangle, layout.format)
    var filled = 0
    for run in layout.runs(of: rectangle) {
      let bytes = try blocks(run.blocks, comparedWith: digests, key: key)
      let start = run.blocks.lowerBound * FileBlock.size
      bytes.withUnsafeBytes { bytes in
        for row in run.rows {
          let place = layout.bytes(ofRow: row, in: rectangle)
          let row = bytes[place.lowerBound - start..<place.upperBound - start]
          UnsafeMutableRawBufferPointer(rebasing: room.bytes[filled...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: row))
          filled += row.count
        }
      }
    }
    layout.format.makeLittleEndian(room.bytes)
    return room.take()
  }

  /// Reads blocks that have these digests.
  private func blocks(
    _ blocks: Range<Int>, comparedWith digests: [Int: UInt64], key: DigestKey
  ) throws(DataRefusal) -> [UInt8] {
    let start = blocks.lowerBound * FileBlock.size
    let end = min(blocks.upperBound * FileBlock.size, file.size)
    let bytes = try read(start..<end)
    let areEqual = bytes.withUnsafeBytes { bytes in
      blocks.allSatisfy { block in
        let first = block * FileBlock.size - start
        let part = bytes[first..<min(first + FileBlock.size, bytes.count)]
        return digests[block] == key.digest(of: UnsafeRawBufferPointer(rebasing: part))
      }
    }
    guard areEqual else { throw .otherContents }
    return bytes
  }

  private func digest(of block: Int, key: DigestKey) throws(DataRefusal) -> UInt64 {
    do {
      guard let digest = try file.digests(of: block..<block + 1, key: key).first else {
        throw DataRefusal.otherSize
      }
      return digest
    } catch let error as DataRefusal {
      throw error
    } catch {
      throw .unreadable
    }
  }

  private func read(_ range: Range<Int>) throws(DataRefusal) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    do {
      try bytes.withUnsafeMutableBytes { try file.read($0, at: range.lowerBound) }
      return bytes
    } catch let error as FITSError where error.code == .truncated {
      throw .changed
    } catch {
      throw .unreadable
    }
  }
}

extension InputFile {
  /// The digests of blocks, as they are in the file now. The last block may be shorter than the
  /// others; beyond it there is none.
  ///
  /// - Throws: ``FITSError``.
  func digests(of blocks: Range<Int>, key: DigestKey) throws -> [UInt64] {
    let last = (size + FileBlock.size - 1) / FileBlock.size
    let blocks = blocks.clamped(to: 0..<last)
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(max(1, blocks.count), Self.blocksAtOnce) * FileBlock.size, alignment: 16)
    defer { room.deallocate() }
    var digests: [UInt64] = []
    digests.reserveCapacity(blocks.count)
    for first in stride(from: blocks.lowerBound, to: blocks.upperBound, by: Self.blocksAtOnce) {
      let end = min(first + Self.blocksAtOnce, blocks.upperBound)
      let start = first * FileBlock.size
      let bytes = UnsafeMutableRawBufferPointer(
        rebasing: room[..<(min(end * FileBlock.size, size) - start)])
      try read(bytes, at: start)
      for block in first..<end {
        let part = bytes[
          (block - first) * FileBlock.size..<min((block - first + 1) * FileBlock.size, bytes.count)]
        digests.append(key.digest(of: UnsafeRawBufferPointer(rebasing: part)))
      }
    }
    return digests
  }

  private static let blocksAtOnce = 256
}
