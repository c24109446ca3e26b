import Testing

@testable import SkyNetCommand

@Suite("Keys of a terminal")
struct KeyTests {
  @Test(
    "What terminals send is read as keys",
    arguments: [
      ("q", [Key.character("q")]), ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}", [.escape]),
      ("\r\n\t", [.enter, .enter, .tab]), ("\u{7F}\u{8}", [.backspace, .backspace]),
      ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[H\u{1B}[4~", [.home, .end]),
      ("\u{3}", [.interrupt]), ("\u{1B}[1;5A", [.up]), ("\u{1B}\u{1B}[D", [.escape, .left]),
    ])
  func keys(bytes: String, keys: [Key]) {
    #expect(Key.keys(Array(bytes.utf8)) == keys)
  }

  @Test(
    "What is no key is passed over",
    arguments: ["\u{1B}[200~", "\u{1B}[", "\u{1B}[1;2", "\u{1}\u{2}", "é"])
  func noKeys(bytes: String) {
    #expect(Key.keys(Array(bytes.utf8)).isEmpty)
  }
}
