// What this file codes is frozen by the version of `SourceScan.kind`.

package import SkyFITS
package import SkyFiles
package import SkyNetCore

import struct Foundation.Data

/// The files that hold a sector's pixels, for a system that can read them itself.
package struct SectorFiles: Codable, Hashable, Sendable {
  /// The file with the pixels; `nil` if the patches have them.
  package var image: FileReference?
  /// The file with the weights; `nil` if the patches have them, or if there are none.
  package var weights: FileReference?
  /// The proof that the engagement is of this machine's and account's own, see `AccountDoor`; `nil` if it is not.
  package var proof: AccountProof?

  package init(
    image: FileReference? = nil, weights: FileReference? = nil, proof: AccountProof? = nil
  ) {
    (self.image, self.weights, self.proof) = (image, weights, proof)
  }
}

/// Where a system finds pixels that its patches do not have, and how it makes sure that they are
/// the engaging side's.
package struct FileReference: Codable, Hashable, Sendable {
  /// The paths that the file may have at the system.
  package var paths: [String]
  package var stamp: FileStamp
  /// The byte of the file where the image's pixels begin. They are stored as they travel, except
  /// for the byte order.
  package var start: Int
  package var key: DigestKey
  /// The numbers of the blocks whose digests are given; `nil` if they are all blocks with pixels of
  /// the sector, in the file's order.
  package var challenge: [Int]?
  /// The blocks' digests: 64 bits each, little-endian.
  package var digests: BulkBytes

  package init(
    paths: [String], stamp: FileStamp, start: Int, key: DigestKey, challenge: [Int]?,
    digests: [UInt64]
  ) {
    (self.paths, self.stamp, self.start) = (paths, stamp, start)
    (self.key, self.challenge) = (key, challenge)
    self.digests = BulkBytes(digests.map { $0.littleEndian }.withUnsafeBytes { Data($0) })
  }

  /// The blocks' digests. Bytes after the last whole one do not count.
  var digestNumbers: [UInt64] {
    digests.bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map { index in
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
      }
    }
  }
}

extension FileReference {
  /// The most bytes of pixels and weights that a sector may have by reference. They are in no
  /// message, so no limit of messages bounds them.
  static let mostBytes = 1 << 28
  /// The most paths that are tried, and blocks that are compared.
  static let mostPaths = 4
  static let mostChallenges = 64
}
