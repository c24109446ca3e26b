import Foundation
import Testing

@testable import ProgramsWorkload
@testable import SkyNetCommand

@Suite("Words that people know from GNU parallel and xargs")
struct ForeignOptionTests {
  @Test(
    "Each is found in every form, and others are not",
    arguments: [
      ("-j", "--slots"), ("-j4", "--slots"), ("--jobs=4", "--slots"), ("-k", "--in-order"),
      ("--joblog", "--summary"), ("--resume", "--journal"), ("--retries", "--attempts"),
      ("--bar", "--web"), ("-0", "--null"), (":::", "--inputs A B"), ("-a", "--inputs-from"),
      ("--colsep", "{1}"), ("--dry-run", "echo"), ("--halt", "--fail-fast-on"), ("-I%", "{}"),
      ("-I{}", "{}"), ("-image", nil), ("--inputs", nil), ("./fit", nil), ("", nil),
    ])
  func found(word: String, instead: String?) {
    let found = ForeignOption.instead(of: word)
    #expect(instead.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "none")")
  }

  @Test("What is to be typed instead are options of engage, and no word is one itself")
  func remedies() {
    let known = DeclaredOptions(of: Engage<Programs>.self).names.union(["--programs"])
    for option in ForeignOption.all {
      for name in option.names { #expect(!known.contains(name), "\(name)") }
      for match in option.instead.matches(of: /(?:^|[^a-z-])(--[a-z][a-z-]*)/) {
        #expect(known.contains(String(match.output.1)), "\(match.output.1)")
      }
    }
  }

  @Test("The table of docs/programs.md has no other words")
  func documented() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/programs.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "| GNU parallel | SkyNet |"))
    let rows = text[start.upperBound...].split(separator: "\n").dropFirst()
      .prefix { $0.hasPrefix("|") }
    var count = 0
    for row in rows {
      let typed = row.dropFirst().prefix { $0 != "|" }
      for match in typed.matches(of: /`(-[^` ]+|:::+)/) where match.output.1 != "--timeout" {
        count += 1
        let word = String(match.output.1)
        #expect(ForeignOption.instead(of: word) != nil, "\(word)")
      }
    }
    #expect(count > 20)
  }
}

@Suite("Words after -- that are probably meant otherwise")
struct DoubtfulWordsTests {
  @Test(
    "A whole command line as one word is none, if its first word is a program",
    arguments: [
      ("sh -c x", true), ("/bin/sh {}", true), ("sh", false), ("no such program", false),
      ("/opt/my tools/{}", false), ("", false), (" ", false),
    ])
  func wholeLine(word: String, isFault: Bool) {
    #expect((DoubtfulWords.fault(word) != nil) == isFault)
  }

  @Test(
    "Texts that look like placeholders of --output or parallel are told of once",
    arguments: [
      ("{name}.txt", "{/.}"), ("{dir}/x", "{//}"), ("{%}", "SKYNET_SLOT"), ("{##}", "{#}"),
      ("{= s/a/b/ =}", "{/}"), ("{+/}", "{/}"), ("{/./}", "{/.}"), ("{..}", "{.}"),
      ("{1..}", "{1}"), ("{-1}", "{1}"), ("{#:}", "{#}"),
    ])
  func told(word: String, remedy: String) {
    let warnings = DoubtfulWords.warnings([word, word])
    #expect(warnings.count == 1 && warnings[0].contains(remedy), "\(warnings)")
  }

  @Test(
    "Other braces are nobody's business",
    arguments: [
      "{print $1}", "{}", "{/}", "{//}", "{.}", "{/.}", "{#}", "{1}", "{1/.}", "${VAR}", "{a,b}",
      #"{"name": 1}"#, "{0}", "{x}", "{ }", "{1..9}",
    ])
  func quiet(word: String) { #expect(DoubtfulWords.warnings([word]) == []) }
}
