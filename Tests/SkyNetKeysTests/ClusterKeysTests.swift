import SkyNetKeys
import Testing

@Suite("The keys that a member holds")
struct ClusterKeysTests {
  private let keys = (0..<5).map { _ in ClusterKey() }

  private func held(_ indices: Int...) throws -> ClusterKeys {
    try ClusterKeys(text: indices.map { keys[$0].text }.joined(separator: "\n"))
  }

  @Test("Keys are read from one line or several, with spaces or commas, and one key is one line")
  func text() throws {
    let two = try held(0, 1)
    #expect(two.all == [keys[0], keys[1]] && two.newest == keys[0])
    for text in [two.text, two.fileText, "\(keys[0].text),\(keys[1].text)", " \(two.text)\r\n"] {
      #expect(try ClusterKeys(text: text) == two)
    }
    #expect(!two.text.contains("\n") && two.fileText.split(separator: "\n").count == 2)
    #expect(ClusterKeys(keys[0]).text == keys[0].text)
    #expect(ClusterKeys(keys[0]).fileText == keys[0].text + "\n")
    #expect(try held(0, 1, 0).all == [keys[0], keys[1]])
  }

  @Test("No key, five keys, and a key beside other words are refused", arguments: 0..<4)
  func refused(_ number: Int) throws {
    let five = keys.map(\.text).joined(separator: " ")
    let text = ["", " \n", five, "\(keys[0].text) hello"][number]
    let error = try #require(#expect(throws: KeyError.self) { try ClusterKeys(text: text) })
    #expect(error.code == .notAKey && !"\(error)".contains(keys[0].text))
  }

  @Test("A key is added as the newest, and one that is held already stays where it is")
  func adding() throws {
    let old = try held(0)
    let both = try old.adding(held(1))
    #expect(both.all == [keys[1], keys[0]])
    #expect(try both.adding(held(1)) == both && both.adding(old) == both)
    #expect(try both.adding(both) == both && old.adding(both) == both)
    #expect(try old.adding(held(2, 1)).all == [keys[2], keys[1], keys[0]])
    #expect(throws: KeyError.self) { try held(0, 1, 2).adding(held(3, 4)) }
  }

  @Test("A key is retired by the digits of its fingerprint, unless it is the only one")
  func retiring() throws {
    let both = try held(1, 0)
    let (kept, retired) = try both.retiring(keys[0].fingerprint)
    #expect(kept.all == [keys[1]] && retired == keys[0])
    #expect(try both.retiring(keys[1].fingerprint.prefix(8).uppercased()).retired == keys[1])
    for (keys, digits) in [(both, ""), (both, "abc"), (both, "zzzz"), (kept, keys[1].fingerprint)] {
      let error = #expect(throws: KeyError.self) { try keys.retiring(digits) }
      #expect(error?.code == .noSuchKey)
    }
    // A key in place of a fingerprint is not repeated.
    let error = #expect(throws: KeyError.self) { try both.retiring(keys[0].text) }
    #expect(error?.description.contains(keys[0].text) == false)
  }

  @Test("Keys print as their fingerprints only")
  func secrecy() throws {
    let both = try held(0, 1)
    var dumped = ""
    dump(both, to: &dumped)
    for text in ["\(both)", String(reflecting: both), dumped] {
      #expect(!text.contains(keys[0].text.dropFirst("skynet-key-".count)))
      #expect(text.contains(keys[0].fingerprint))
    }
  }
}
