import Foundation
import SkyTestSupport
import Testing

@testable import SkyScan

@Suite("Proofs of the account")
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

  @Test("A token is proved by its file, for as long as its engagement lives")
  func proved() throws {
    var file: AccountTokenFile? = try make()
    let token = try #require(file).token
    #expect(token.isProved)
    var other = token
    other.secret = String(repeating: "a", count: 64)
    #expect(!other.isProved)
    other = token
    other.machine = "another"
    #expect(!other.isProved)
    file = nil
    #expect(!token.isProved)
    #expect(!FileManager.default.fileExists(atPath: token.path))
  }

  @Test("A folder or a file that others can use proves nothing")
  func modes() throws {
    let file = try make()
    let path = file.token.path
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    for (place, bad, good) in [(path, 0o644, 0o600), (folder, 0o755, 0o700)] {
      #expect(chmod(place, mode_t(bad)) == 0)
      #expect(!file.token.isProved, "\(place)")
      #expect(chmod(place, mode_t(good)) == 0)
      #expect(file.token.isProved)
    }
  }

  @Test("A link to a token's file, and a file with other contents such as a key, prove nothing")
  func others() throws {
    let file = try make()
    let token = file.token
    let folder = URL(fileURLWithPath: token.path).deletingLastPathComponent().path
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link.token", withDestinationPath: token.path)
    var other = token
    other.path = folder + "/link.token"
    #expect(!other.isProved)
    try FileManager.default.createSymbolicLink(
      atPath: self.folder.path + "/folder", withDestinationPath: folder)
    other.path = self.folder.path + "/folder/" + URL(fileURLWithPath: token.path).lastPathComponent
    #expect(!other.isProved)
    let key = String(repeating: "b", count: 64)
    try write(key + "\n", to: folder + "/key.token")
    other.path = folder + "/key.token"
    other.secret = key
    #expect(!other.isProved)
    for path in ["", "/", "x.token", "/../x.token", "/x.token"] {
      other.path = path
      #expect(!other.isProved)
    }
  }

  @Test("Tokens of processes that were killed are removed, and those of running ones are not")
  func leftBehind() throws {
    let first = try make()
    let folder = URL(fileURLWithPath: first.token.path).deletingLastPathComponent().path
    try write("", to: folder + "/left.token")
    let second = try make()
    #expect(!FileManager.default.fileExists(atPath: folder + "/left.token"))
    #expect(first.token.isProved && second.token.isProved)
    #expect(first.token != second.token)
  }
}
