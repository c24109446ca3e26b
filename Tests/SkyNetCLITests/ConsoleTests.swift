import Testing

@testable import SkyNetCLI

@Suite("What peers say is shown, and not obeyed")
struct ConsoleTests {
  @Test func controlCharactersAreEscaped() {
    #expect("a\u{1B}[2Jb\nc\r\u{9B}".showingControls == #"a\u{1B}[2Jb\nc\r\u{009B}"#)
  }

  @Test func everythingElseIsAsItWas() {
    let text = "nœud “α” 火星 👩‍🚀 e\u{301}"
    #expect(text.showingControls == text)
  }
}
