// What this file codes is frozen by the versions of the kinds of scans that send it.

import Foundation

/// The proof that an engagement runs on a node's own machine and under its account: a digest of
/// what it asks for, with a key from a file that only this account can have made and can read. So a
/// peer that gets the proof for one thing cannot ask for another one by it.
///
/// What is proved for is bytes, which say all that is asked for, and begin with what kind of thing
/// that is: no proof for a file is one for a program.
package struct AccountToken: Codable, Hashable, Sendable {
  /// The machine of the engagement; see ``Machine/id``.
  package var machine: String
  /// The file with the key, in a folder that is the account's alone.
  package var path: String
  package var proof: UInt64

  package init(machine: String, path: String, proof: UInt64) {
    (self.machine, self.path, self.proof) = (machine, path, proof)
  }

  static let nameEnding = ".token"

  /// Whether the key's file shows that the engagement is of this process's machine and account, and
  /// the proof is for these bytes.
  package func isProof(for bytes: [UInt8]) -> Bool {
    guard let own = Machine.id, machine == own, path.hasSuffix(Self.nameEnding),
      let place = FilePath(path), place.names.count > 1, let name = place.names.last,
      let folder = OwnFolder("/" + place.names.dropLast().joined(separator: "/")),
      let contents = folder.contents(of: String(name)), let key = DigestKey(tokenText: contents)
    else { return false }
    // One comparison of two words takes the same time whatever they are.
    return proof ^ key.digest(of: bytes) == 0
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

  /// The proof that this engagement asks for what the bytes say.
  package func token(for bytes: [UInt8]) -> AccountToken {
    AccountToken(machine: machine, path: path, proof: key.digest(of: bytes))
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
    guard let machine = Machine.id, let real = FilePath.real(folder)?.text,
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
