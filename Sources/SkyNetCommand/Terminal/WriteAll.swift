import SkyFiles
import SkyNetJournal

/// Writes all bytes to a descriptor, and blocks until that is done.
///
/// - Returns: the failure, if not all bytes could be written.
func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) -> WriteFailure? {
  bytes.withUnsafeBytes { WholeWrite.write($0, to: descriptor) }.map(WriteFailure.refused)
}

/// Why an output takes no more bytes.
enum WriteFailure: Error, Hashable {
  /// A write failed with this `errno`.
  case refused(CInt)
  /// The name is not UTF-8.
  case oddName
  /// The file was replaced or truncated.
  case lost(GrowingFile.Fault)
}
