import Foundation
import SkyFITS
import SkyNetCore
import Synchronization

/// The proof that an engagement runs on a node's own machine and under its account: the contents of
/// a file that only this account can have made and can read.
package struct AccountToken: Codable, Hashable, Sendable {
  /// The machine of the engagement; see `FileStamp.machine`.
  package var machine: String
  /// The file, in a folder that is the account's alone.
  package var path: String
  package var secret: String

  package init(machine: String, path: String, secret: String) {
    (self.machine, self.path, self.secret) = (machine, path, secret)
  }

  /// What all tokens' files begin with, so that nobody can name another file whose contents they
  /// know, such as the cluster's key.
  static let heading = "skynet engagement\n"
  static let nameEnding = ".token"

  /// The contents of the token's file.
  var fileText: String { Self.heading + secret + "\n" }

  /// Whether the file shows that the engagement is of this process's machine and account.
  package var isProved: Bool {
    guard let own = FileStamp.machine, machine == own, secret.utf8.count == 64,
      path.hasSuffix(Self.nameEnding), let place = FilePath(path), place.names.count > 1,
      let name = place.names.last.map(String.init)
    else { return false }
    let folder = OwnFolder("/" + place.names.dropLast().joined(separator: "/"))
    guard let folder, let contents = folder.contents(of: name) else { return false }
    return contents.isSameSecret(as: fileText.utf8)
  }
}

/// The file of an engagement's token, which is there for as long as this value, and locked.
package final class AccountTokenFile: Sendable {
  package let token: AccountToken
  private let descriptor: CInt

  /// Makes a token in this account's folder for running programs, or else in the one for
  /// configurations. Tokens of processes that were killed are removed there.
  ///
  /// - Returns: `nil` if there is no such folder that is the account's alone.
  package static func make(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> AccountTokenFile? {
    let configuration =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].map { $0 + "/.config" }
    return [environment["XDG_RUNTIME_DIR"], configuration].lazy.compactMap { $0 }
      .filter { $0.hasPrefix("/") }
      .compactMap { AccountTokenFile(below: $0) }.first
  }

  private init?(below directory: String) {
    let folder = directory + "/skynet/engagements"
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard let machine = FileStamp.machine, let real = FilePath.real(folder)?.text,
      let own = OwnFolder(real)
    else { return nil }
    own.removeUnlocked(ending: AccountToken.nameEnding)
    let words = (0..<4).map { _ in UInt64.random(in: 0...UInt64.max) }
    let secret = words.map { String($0 | 1 << 63, radix: 16) }.joined()
    let name = String(UInt64.random(in: 0...UInt64.max), radix: 16) + AccountToken.nameEnding
    let token = AccountToken(machine: machine, path: real + "/" + name, secret: secret)
    guard let descriptor = own.makeFile(name, Array(token.fileText.utf8)) else { return nil }
    self.token = token
    self.descriptor = descriptor
  }

  deinit {
    unlink(token.path)
    close(descriptor)
  }
}

/// A folder that only this account can use, and the files in it that only this account can use.
private final class OwnFolder {
  private let descriptor: CInt

  /// - Returns: `nil` if it is another account's too, or if a symbolic link leads to it.
  init?(_ path: String) {
    guard let path = FilePath(path) else { return nil }
    descriptor = path.openDirectory()
    guard descriptor >= 0 else { return nil }
    // From here on, `deinit` closes the descriptor.
    guard Self.isOwn(descriptor, S_IFDIR, mode: 0o700) else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The contents of a short file; `nil` if it is not the account's alone.
  func contents(of name: String) -> [UInt8]? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard Self.isOwn(file, S_IFREG, mode: 0o600) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes.prefix(count))
  }

  /// Makes a file and locks it. Returns its descriptor.
  func makeFile(_ name: String, _ contents: [UInt8]) -> CInt? {
    // Under its name it is locked already, so that no other process takes it for one left behind.
    let draft = name + ".new"
    let file = openat(descriptor, draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0, fchmod(file, 0o600) == 0,
      write(file, contents, contents.count) == contents.count,
      renameat(descriptor, draft, descriptor, name) == 0
    else {
      unlinkat(descriptor, draft, 0)
      close(file)
      return nil
    }
    return file
  }

  /// Removes the files that no process holds locked.
  func removeUnlocked(ending: String) {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(descriptor)"))
    for name in names ?? [] where name.hasSuffix(ending) {
      let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { continue }
      defer { close(file) }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { unlinkat(descriptor, name, 0) }
    }
  }

  private static func isOwn(_ descriptor: CInt, _ kind: mode_t, mode: mode_t) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == kind
      && status.st_mode & 0o7777 == mode && status.st_uid == geteuid()
  }
}
