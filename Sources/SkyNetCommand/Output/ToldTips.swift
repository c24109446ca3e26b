import Foundation
import SkyNetJournal

/// The tips that this account was given, in a small file, so that each is given once.
struct ToldTips {
  /// The file has the names of the tips, one a line; `nil` if there is no place for it.
  let path: String?

  /// The file `told` in the account's folder for this program's state.
  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    path = StateFolder.path(environment).map { $0 + "/told" }
  }

  /// The most bytes of a file that this program has written.
  private static let limit = 4096

  /// Whether a tip was not given before. It counts as given from now on. If that cannot be written down, the answer is
  /// no: a tip that comes again and again is worse than none.
  func isNew(_ tip: String) -> Bool {
    guard let path else { return false }
    try? FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // Nothing that someone else has put there is waited for, or written to.
    let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard GrowingFile.isFile(descriptor) else { return false }
    var bytes = [UInt8](repeating: 0, count: Self.limit)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0, count < Self.limit else { return false }
    let told = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
    guard !told.contains(Substring(tip)) else { return false }
    return writeAll(Array("\(tip)\n".utf8)[...], to: descriptor) == nil
  }
}
