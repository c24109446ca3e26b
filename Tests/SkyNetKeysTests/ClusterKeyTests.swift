import SkyNetKeys
import Testing

@Suite("A cluster key")
struct ClusterKeyTests {
  @Test("is read from its text, whatever the case and the white space around it")
  func text() throws {
    let key = ClusterKey()
    #expect(try ClusterKey(text: key.text) == key)
    #expect(try ClusterKey(text: "\n \(key.text)\t\n") == key)
    let digits = key.text.dropFirst("skynet-key-".count)
    #expect(try ClusterKey(text: "skynet-key-" + digits.uppercased()) == key)
  }

  @Test("is another one each time")
  func random() {
    let keys = (0..<100).map { _ in ClusterKey() }
    #expect(Set(keys).count == 100)
    #expect(Set(keys.map(\.fingerprint)).count == 100)
  }

  @Test("has a fingerprint that stays the same from version to version")
  func derivation() throws {
    // By libsodium's crypto_kdf, as Python's hashlib has it too: BLAKE2b with the key, the salt 2
    // (little-endian) and the person "skynet-1".
    let text = "skynet-key-" + String(repeating: "0123456789abcdef", count: 4)
    #expect(try ClusterKey(text: text).fingerprint == "e58a2dc1d575ed64")
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "skynet-key-", String(repeating: "a", count: 64), "skynet-key-zz",
      "skynet-key-" + String(repeating: "g", count: 64),
      "skynet-key-" + String(repeating: "a", count: 63),
      "skynet-key-" + String(repeating: "a", count: 66), "ssh-ed25519 AAAA",
    ])
  func notAKey(_ text: String) throws {
    let error = try #require(#expect(throws: KeyError.self) { try ClusterKey(text: text) })
    #expect(error.code == .notAKey)
    let digits = text.replacing("skynet-key-", with: "")
    #expect(digits.isEmpty || !"\(error)".contains(digits), "an error repeats no secret")
  }

  @Test("prints as its fingerprint only")
  func secrecy() {
    let key = ClusterKey()
    var dumped = ""
    dump(key, to: &dumped)
    let digits = key.text.dropFirst("skynet-key-".count)
    for text in ["\(key)", String(reflecting: key), dumped, "\([key])"] {
      #expect(!text.contains(digits) && text.contains(key.fingerprint))
    }
  }
}
