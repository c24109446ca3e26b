import SkyNetKeys
import Testing

@Suite("A cluster key")
struct ClusterKeyTests {
  @Test("A key is read from its text in either case, with white space around it")
  func text() throws {
    let key = ClusterKey()
    #expect(try ClusterKey(text: key.text) == key)
    #expect(try ClusterKey(text: "\n \(key.text)\t\n") == key)
    let digits = key.text.dropFirst("skynet-key-".count)
    #expect(try ClusterKey(text: "skynet-key-" + digits.uppercased()) == key)
  }

  @Test("Every new key is another one")
  func random() {
    let keys = (0..<100).map { _ in ClusterKey() }
    #expect(Set(keys).count == 100)
    #expect(Set(keys.map(\.fingerprint)).count == 100)
  }

  @Test("A key has the same fingerprint in every version")
  func derivation() throws {
    // libsodium's crypto_kdf, which Python's hashlib can compute too: BLAKE2b with the key, the salt 2
    // (little-endian) and the person "skynet-1".
    let text = "skynet-key-" + String(repeating: "0123456789abcdef", count: 4)
    #expect(try ClusterKey(text: text).fingerprint == "e58a2dc1d575ed64")
  }

  @Test(
    "A text that is not a key is refused, and not repeated in the error",
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

  @Test("A key prints as its fingerprint only")
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
