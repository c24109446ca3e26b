import Foundation
import SkyFiles
import SkyNetCore

/// What a journal keeps of an output that is a file: enough to know the file again.
package struct KeptOutput: Codable, Hashable, Sendable {
  package let bytes: Int
  /// As `ContentsDigest` makes it.
  package let digest: UInt64

  init(_ output: Data) { (bytes, digest) = (output.count, ContentsDigest.of(output)) }

  /// Whether a file has the output. A device, a pipe or a descriptor keeps nothing, and counts as one that has.
  func isIn(_ file: String) -> Bool {
    WrittenFile(path: file, size: bytes).isThere
      && (FileIdentity.isStream(file) || ContentsDigest.of(file: file, size: bytes) == digest)
  }
}

extension ProgramOutput: ShortenedOutput {
  /// What a journal keeps of the output if a file has its bytes.
  var withoutBytes: ProgramOutput {
    var rest = self
    rest.kept = KeptOutput(output.bytes)
    rest.output = BulkBytes(Data())
    return rest
  }

  package var fingerprint: String {
    let kept = kept ?? KeptOutput(output.bytes)
    return "\(kept.bytes) \(kept.digest)"
  }
}
