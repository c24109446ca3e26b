import Foundation

/// What became of an order.
enum KeeperReport: Equatable {
  /// The program has ended, with the status that `waitpid` gave. Nothing of it is left.
  case ended(CInt)
  /// The system's error on executing the program.
  case notExecuted(CInt)
  /// The system's error on entering the program's folder, or on making it.
  case noDirectory(CInt)
  /// The system's error on making a keeper.
  case noKeeper(CInt)
  /// The keeper was killed. Nothing of its program is left.
  case killed
  /// The keeper was given what is no order.
  case notUnderstood

  static let size = 5

  var bytes: Data {
    let (kind, number): (UInt8, CInt) =
      switch self {
      case .ended(let status): (0, status)
      case .notExecuted(let reason): (1, reason)
      case .noDirectory(let reason): (2, reason)
      case .noKeeper(let reason): (3, reason)
      case .killed: (4, 0)
      case .notUnderstood: (5, 0)
      }
    return Data([kind]) + withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }

  /// - Returns: `nil` if the bytes are no report.
  init?(_ bytes: Data) {
    guard bytes.count == Self.size, let kind = bytes.first else { return nil }
    let number = CInt(
      littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: CInt.self) })
    switch kind {
    case 0: self = .ended(number)
    case 1: self = .notExecuted(number)
    case 2: self = .noDirectory(number)
    case 3: self = .noKeeper(number)
    case 4: self = .killed
    case 5: self = .notUnderstood
    default: return nil
    }
  }
}
