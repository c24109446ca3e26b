import Foundation

/// What became of an order.
enum KeeperReport: Equatable {
  /// The program has ended, with the status that `waitpid` gave for its first process. Nothing of it is left.
  case ended(CInt, ProgramLeavings)
  /// The system's error on executing the program.
  case notExecuted(CInt)
  /// The system's error on entering the program's folder, or on making it or one above it: this one.
  case noDirectory(CInt, String)
  /// The system's error on making a keeper.
  case noKeeper(CInt)
  /// The keeper was killed. Nothing of its program is left.
  case killed
  /// The keeper was given what is no order.
  case notUnderstood

  /// The longest report, in bytes. A path that the system takes is shorter.
  static let longest = 8192

  var bytes: Data {
    let (kind, number, text): (UInt8, CInt, String) =
      switch self {
      case .ended(let status, let left): (0, status, left.text)
      case .notExecuted(let reason): (1, reason, "")
      case .noDirectory(let reason, let path): (2, reason, path)
      case .noKeeper(let reason): (3, reason, "")
      case .killed: (4, 0, "")
      case .notUnderstood: (5, 0, "")
      }
    let head = Data([kind]) + withUnsafeBytes(of: number.littleEndian) { Data($0) }
    return (head + Data(text.utf8)).prefix(Self.longest)
  }

  /// - Returns: `nil` if the bytes are no report.
  init?(_ bytes: Data) {
    guard bytes.count >= 5, let kind = bytes.first else { return nil }
    let number = CInt(
      littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: CInt.self) })
    switch kind {
    case 0:
      guard let left = ProgramLeavings(bytes.dropFirst(5)) else { return nil }
      self = .ended(number, left)
    case 1: self = .notExecuted(number)
    case 2: self = .noDirectory(number, String(decoding: bytes.dropFirst(5), as: UTF8.self))
    case 3: self = .noKeeper(number)
    case 4: self = .killed
    case 5: self = .notUnderstood
    default: return nil
    }
  }
}

extension ProgramLeavings {
  /// Two numbers and a name, with a space behind each number; empty if nothing was left, as for most programs.
  fileprivate var text: String {
    self == ProgramLeavings() ? "" : "\(processes ? 1 : 0) \(files) \(example ?? "")"
  }

  /// - Returns: `nil` if the bytes are no such text.
  fileprivate init?(_ bytes: Data) {
    self.init()
    guard !bytes.isEmpty else { return }
    let parts = bytes.split(
      separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3, let files = Int(parts[1]) else { return nil }
    (processes, self.files) = (parts[0] == "1", files)
    example = files > 0 ? parts[2] : nil
  }
}
