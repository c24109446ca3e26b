import Testing

@testable import SkyNetCommand

@Suite("Control characters in peers' text")
struct ConsoleTests {
  @Test("Control characters are shown as escapes")
  func controlCharactersAreEscaped() {
    #expect("a\u{1B}[2Jb\nc\r\u{9B}".showingControls == #"a\u{1B}[2Jb\nc\r\u{009B}"#)
  }

  @Test("Marks that reorder text, and separators of lines, are shown as escapes too")
  func marksOfDirectionAreEscaped() {
    #expect(
      "a\u{202E}b\u{2066}\u{61C}\u{2028}".showingControls == #"a\u{202E}b\u{2066}\u{061C}\u{2028}"#)
  }

  @Test(
    "Lines for a terminal keep their ends and tabs, and bytes that are no UTF-8 become none it obeys"
  )
  func linesForATerminal() {
    let bytes = Array("a\t\u{1B}]52;c;eA==\u{7}\r\n\u{9B}é\u{2069}\n".utf8) + [0x9B, 0x32, 0x4A]
    #expect(
      String(decoding: bytes.linesShowingControls, as: UTF8.self)
        == "a\t" + #"\u{1B}]52;c;eA==\u{07}\r"# + "\n" + #"\u{009B}é\u{2069}"# + "\n\u{FFFD}2J")
  }

  @Test("All other characters stay as they are")
  func everythingElseIsAsItWas() {
    let text = "nœud “α” 火星 👩‍🚀 e\u{301} שלום … █\u{200D}"
    #expect(text.showingControls == text)
  }
}
