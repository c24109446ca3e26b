import Foundation
import SkyTestSupport
import TestSupport
import Testing

@testable import SkyFiles

@Suite("Proofs of the account", .ownThreads)
struct AccountTokenTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func make() throws -> AccountTokenFile {
    try #require(AccountTokenFile.make(environment: ["XDG_RUNTIME_DIR": folder.path]))
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, 0o600) == 0)
  }

  @Test("A token proves for its bytes, for as long as its engagement lives, and for no others")
  func proved() throws {
    var file: AccountTokenFile? = try make()
    let bytes = Array("image a".utf8)
    let token = try #require(file).token(for: bytes)
    #expect(token.isProof(for: bytes))
    for other in ["image b", "image", "image a ", ""] {
      #expect(!token.isProof(for: Array(other.utf8)))
    }
    var other = token
    other.proof ^= 1
    #expect(!other.isProof(for: bytes))
    other = token
    other.machine = "another"
    #expect(!other.isProof(for: bytes))
    file = nil
    #expect(!token.isProof(for: bytes))
    #expect(!FileManager.default.fileExists(atPath: token.path))
  }

  @Test("A folder or a file that others can use proves nothing")
  func modes() throws {
    let file = try make()
    let bytes = Array("image a".utf8)
    let token = file.token(for: bytes)
    let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
    for (place, bad, good) in [(file.path, 0o644, 0o600), (folder, 0o755, 0o700)] {
      #expect(chmod(place, mode_t(bad)) == 0)
      #expect(!token.isProof(for: bytes), "\(place)")
      #expect(chmod(place, mode_t(good)) == 0)
      #expect(token.isProof(for: bytes))
    }
  }

  @Test("A link to a token's file, and a file with other contents such as a key, prove nothing")
  func others() throws {
    let file = try make()
    let bytes = Array("image a".utf8)
    let token = file.token(for: bytes)
    let place = URL(fileURLWithPath: file.path)
    let folder = place.deletingLastPathComponent().path
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link.token", withDestinationPath: file.path)
    var other = token
    other.path = folder + "/link.token"
    #expect(!other.isProof(for: bytes))
    try FileManager.default.createSymbolicLink(
      atPath: self.folder.path + "/folder", withDestinationPath: folder)
    other.path = self.folder.path + "/folder/" + place.lastPathComponent
    #expect(!other.isProof(for: bytes))
    let known = DigestKey(first: 1, second: 2)
    other.proof = known.digest(of: bytes)
    other.path = folder + "/known.token"
    for (text, isToken) in [
      (known.tokenText, true), ("1 2\n", false), ("", false),
      (known.tokenText + "3\n", false), (String(repeating: "b", count: 64) + "\n", false),
    ] {
      try write(text, to: folder + "/known.token")
      #expect(other.isProof(for: bytes) == isToken, "\(text)")
    }
    for path in ["", "/", "x.token", "/../x.token", "/x.token"] {
      other.path = path
      #expect(!other.isProof(for: bytes))
    }
  }

  @Test("Tokens of processes that were killed are removed, and those of running ones are not")
  func leftBehind() throws {
    let first = try make()
    let folder = URL(fileURLWithPath: first.path).deletingLastPathComponent().path
    try write("", to: folder + "/left.token")
    let second = try make()
    #expect(!FileManager.default.fileExists(atPath: folder + "/left.token"))
    let bytes = Array("image a".utf8)
    #expect(first.token(for: bytes).isProof(for: bytes))
    #expect(second.token(for: bytes).isProof(for: bytes))
    #expect(first.path != second.path)
  }
}
