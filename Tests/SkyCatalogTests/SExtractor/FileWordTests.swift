import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("What a message quotes of a file") struct FileWordTests {
  @Test(
    "is what looks like a keyword or a column",
    arguments: ["DETECT_MINAREA", "FLUX_APER(3)", "A", "7", "ALPHA_J2000", "(3"])
  func keyword(word: String) {
    #expect(FileWord.quotable(word) == word)
    #expect(FileWord.quoted(word, or: "something else") == "“\(word)”")
  }

  @Test(
    "is nothing else, such as a key, a path or a control character",
    arguments: [
      "", "skynet-key-00", "0.5", "-1", "a", "Ä", "A B", "/etc/passwd", "\u{1b}[2J", "A\n",
      "ABCDEFGHIJKLMNOPQRSTUVWXY",
    ])
  func other(word: String) {
    #expect(FileWord.quotable(word) == nil)
    #expect(FileWord.quoted(word, or: "something else") == "something else")
  }
}
