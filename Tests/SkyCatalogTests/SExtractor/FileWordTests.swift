import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("Words of a file in messages")
struct FileWordTests {
  @Test(
    "A word that looks like a keyword or a column is quoted",
    arguments: ["DETECT_MINAREA", "FLUX_APER(3)", "A", "7", "ALPHA_J2000", "(3"])
  func keyword(word: String) {
    #expect(FileWord.quotable(word) == word)
    #expect(FileWord.quoted(word, or: "something else") == "“\(word)”")
  }

  @Test("A short value is quoted too, and one that may be a key is not")
  func values() {
    for word in ["abc", "-1", "0.5", "a:b", "MAP_WEIGHTS"] {
      #expect(FileWord.quotableValue(word) == word)
    }
    for word in ["", "skynet-k", "Ä", "a\n", "\u{1b}[2J", "ABCDEFGHIJKLMNOPQRSTUVWXY"] {
      #expect(FileWord.quotableValue(word) == nil)
    }
  }

  @Test(
    "Any other word, such as a key, a path or a control character, is not quoted",
    arguments: [
      "", "skynet-key-00", "0.5", "-1", "a", "Ä", "A B", "/etc/passwd", "\u{1b}[2J", "A\n",
      "ABCDEFGHIJKLMNOPQRSTUVWXY",
    ])
  func other(word: String) {
    #expect(FileWord.quotable(word) == nil)
    #expect(FileWord.quoted(word, or: "something else") == "something else")
  }
}
