// What this file codes is frozen by the version of `SourceScan.kind`.

import Foundation
import SkyFITS
import SkyNetCore
import Synchronization

/// The proof that an engagement runs on a node's own machine and under its account: a digest of
/// what it asks for, with a key from a file that only this account can have made and can read. So a
/// peer that gets the proof for one file cannot ask for another one by it.
package struct AccountToken: Codable, Hashable, Sendable {
  /// The machine of the engagement; see `FileStamp.machine`.
  package var machine: String
  /// The file with the key, in a folder that is the account's alone.
  package var path: String
  package var proof: UInt64

  package init(machine: String, path: String, proof: UInt64) {
    (self.machine, self.path, self.proof) = (machine, path, proof)
  }

  static let nameEnding = ".token"

  /// Whether the key's file shows that the engagement is of this process's machine and account, and
  /// the proof is for these files.
  package func isProof(for files: SectorFiles) -> Bool {
    guard let own = FileStamp.machine, machine == own, path.hasSuffix(Self.nameEnding),
      let place = FilePath(path), place.names.count > 1, let name = place.names.last,
      let folder = OwnFolder("/" + place.names.dropLast().joined(separator: "/")),
      let contents = folder.contents(of: String(name)), let key = DigestKey(tokenText: contents)
    else { return false }
    return withUnsafeBytes(of: proof) { proof in
      withUnsafeBytes(of: files.proof(by: key)) { Array(proof).isSameSecret(as: Array($0)) }
    }
  }
}

extension SectorFiles {
  /// The proof that a holder of this key asks for these files.
  func proof(by key: DigestKey) -> UInt64 {
    // No path has a zero byte, so no two lists of paths are the same text.
    let text = [("image", image), ("weights", weights)].map { role, file in
      role + (file?.paths ?? []).map { "\0" + $0 }.joined() + "\0\0"
    }
    return Array(text.joined().utf8).withUnsafeBytes { key.digest(of: $0) }
  }
}

extension DigestKey {
  /// What all tokens' files begin with, so that no client can name another file whose contents it
  /// knows, such as the cluster's key.
  private static let heading = "skynet engagement\n"

  /// The contents of the file with this key.
  var tokenText: String { Self.heading + "\(first) \(second)\n" }

  /// - Returns: `nil` if the bytes are not the contents of such a file.
  init?(tokenText bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(Self.heading), text.hasSuffix("\n") else { return nil }
    let numbers = text.dropFirst(Self.heading.count).dropLast().split(separator: " ")
    guard numbers.count == 2, let first = UInt64(numbers[0]), let second = UInt64(numbers[1]) else {
      return nil
    }
    self.init(first: first, second: second)
  }
}

/// The file with an engagement's key for such proofs, which is there for as long as this value, and
/// locked.
package final class AccountTokenFile: Sendable {
  package let path: String
  private let machine: String
  private let key: DigestKey
  private let descriptor: CInt

  /// The proof that this engagement asks for these files.
  package func token(for files: SectorFiles) -> AccountToken {
    AccountToken(machine: machine, path: path, proof: files.proof(by: key))
  }

  /// Makes a file in this account's folder for running programs, or else in the one for
  /// configurations. Files of processes that were killed are removed there.
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
    let key = DigestKey.random()
    let name = String(UInt64.random(in: 0...UInt64.max), radix: 16) + AccountToken.nameEnding
    guard let descriptor = own.makeFile(name, Array(key.tokenText.utf8)) else { return nil }
    (self.machine, self.key, self.descriptor) = (machine, key, descriptor)
    path = real + "/" + name
  }

  deinit {
    unlink(path)
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
