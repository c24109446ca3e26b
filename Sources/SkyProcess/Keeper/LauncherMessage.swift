import Foundation

/// What the launcher is told.
enum LauncherMessage: Equatable {
  /// To make the keeper of a slot. The keeper's end of a socket accompanies it.
  case keeper(slot: Int)
  /// To kill the keeper of a slot, which does not answer.
  case kill(slot: Int)

  static let size = 5

  var bytes: Data {
    let (kind, slot): (UInt8, Int) =
      switch self {
      case .keeper(let slot): (1, slot)
      case .kill(let slot): (2, slot)
      }
    return Data([kind]) + withUnsafeBytes(of: UInt32(slot).littleEndian) { Data($0) }
  }

  /// - Returns: `nil` if the bytes are no message.
  init?(_ bytes: Data) {
    guard bytes.count == Self.size else { return nil }
    let slot = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self) }
    switch bytes.first {
    case 1: self = .keeper(slot: Int(UInt32(littleEndian: slot)))
    case 2: self = .kill(slot: Int(UInt32(littleEndian: slot)))
    default: return nil
    }
  }
}
