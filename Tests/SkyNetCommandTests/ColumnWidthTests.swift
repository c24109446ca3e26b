import Testing

@testable import SkyNetCommand

@Suite("Columns of text on a terminal")
struct ColumnWidthTests {
  @Test(
    "A text takes as many columns as a terminal gives it",
    arguments: [
      ("abc", 3), ("é", 1), ("e\u{301}", 1), ("火星", 4), ("한국", 4), ("ＡＢ", 4), ("😀", 2),
      ("👩‍🚀", 2), ("❤\u{FE0F}", 2), ("🇩🇪", 2), ("█░", 2), ("…", 1), ("", 0), ("\u{200B}", 0),
      ("Ω", 1), ("中a", 3),
    ])
  func columns(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(
    "A text is cut at the columns, and a wide character is never cut in half",
    arguments: [
      (5, "ab火星"), (6, "ab火星"), (4, "ab…"), (3, "ab…"), (2, "a…"), (1, "…"), (0, ""),
    ])
  func cuts(columns: Int, expected: String) {
    let cut = "ab火星".cut(to: columns)
    #expect(cut == (columns >= 6 ? "ab火星" : columns == 5 ? "ab火…" : expected))
    #expect(cut.columns <= columns)
  }

  @Test(
    "A line is cut after a word",
    arguments: [
      (30, "paused after 5 failures, next"), (28, "paused after 5 failures …"),
      (15, "paused after 5…"), (8, "paused …"), (6, "pause…"), (1, "…"), (0, ""),
    ])
  func cutsAtWords(columns: Int, expected: String) {
    let cut = "paused after 5 failures, next".cutAtWord(to: columns)
    #expect(cut == expected)
    #expect(cut.columns <= columns)
  }

  @Test(
    "A path is cut at its start, also between wide characters",
    arguments: [
      ("night/a.fits", 12, "night/a.fits"), ("night/a.fits", 7, "…a.fits"), ("a.fits", 1, "…"),
      ("a.fits", 0, ""), ("夜/星.fits", 8, "…星.fits"), ("夜/星.fits", 7, "….fits"),
    ])
  func paths(text: String, columns: Int, cut: String) {
    #expect(text.cutAtStart(to: columns) == cut)
  }

  @Test("Padding counts columns")
  func padding() {
    #expect("火".padded(to: 4) == "火  ")
    #expect("火".indented(to: 4) == "  火")
    #expect("abc".padded(to: 2) == "abc")
  }
}

@Suite("What terminals show")
struct TerminalTraitsTests {
  @Test(
    "Colours follow the terminal and the variables that people set",
    arguments: [
      (true, ["TERM": "xterm"], true), (false, ["TERM": "xterm"], false),
      (true, ["TERM": "dumb"], false), (true, [:], false),
      (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
      (true, ["TERM": "xterm", "NO_COLOR": ""], true),
      (true, ["TERM": "xterm", "CLICOLOR": "0"], false),
      (true, ["TERM": "xterm", "CLICOLOR": "1"], true),
      (false, ["CLICOLOR_FORCE": "1"], true), (false, ["CLICOLOR_FORCE": "0"], false),
      (true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
    ] as [(Bool, [String: String], Bool)])
  func choices(isTerminal: Bool, environment: [String: String], expected: Bool) {
    #expect(TerminalTraits.hasColors(isTerminal: isTerminal, environment) == expected)
  }

  @Test(
    "The characters follow the locale",
    arguments: [
      ([:], true), (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8"], true),
      (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false), (["LC_CTYPE": "POSIX"], false),
      (["LC_ALL": "", "LANG": "de_DE.ISO-8859-1"], false),
      (["LC_CTYPE": "ja_JP.UTF-8@x", "LANG": "C"], true),
    ] as [([String: String], Bool)])
  func characters(environment: [String: String], areUnicode: Bool) {
    #expect(TerminalTraits.showsUnicode(environment) == areUnicode)
    #expect(Symbols.inASCII("███▒▒░ 2 × 3 … ü") == "###xx. 2 x 3 ... ü")
  }

  @Test("A styled line is the same text without colours")
  func plainText() {
    let line = StyledText("gave up 3", .bad) + StyledText(": why")
    #expect(line.rendered(withColors: false) == "gave up 3: why")
    #expect(line.rendered(withColors: true) == "\u{1B}[31mgave up 3\u{1B}[0m: why")
    #expect(line.prefix(columns: 6).rendered(withColors: true) == "\u{1B}[31mgave u\u{1B}[0m")
    #expect(StyledText("a\u{1B}[2J").text == #"a\u{1B}[2J"#)
  }
}
