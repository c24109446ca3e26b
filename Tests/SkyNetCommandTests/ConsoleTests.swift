import TestSupport
import Testing

@testable import SkyNetCommand

@Suite("Control characters in peers' text", .inTurn)
struct ConsoleTests {
  @Test("Control characters are shown as escapes")
  func controlCharactersAreEscaped() {
    #expect("a\u{1B}[2Jb\nc\r\u{9B}".showingControls == #"a\u{1B}[2Jb\nc\r\u{009B}"#)
  }

  @Test("All other characters stay as they are")
  func everythingElseIsAsItWas() {
    let text = "nœud “α” 火星 👩‍🚀 e\u{301}"
    #expect(text.showingControls == text)
  }
}
