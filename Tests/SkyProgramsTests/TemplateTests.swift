import SkyNetCore
import Testing

@testable import SkyPrograms

@Suite("The placeholders in a program's arguments")
struct TemplateTests {
  private func words(_ words: [String], _ text: String, place: Int = 0) throws -> [String] {
    try ProgramTemplate(words).words(for: TemplateInput(text, place: place))
  }

  /// What GNU parallel 20221122 made of them.
  @Test(
    "They mean what they mean to GNU parallel",
    arguments: [
      ("a.fits", ["a.fits", ".", "a", "a"]), ("night/a.fits", ["a.fits", "night", "night/a", "a"]),
      ("/x/y.tar.gz", ["y.tar.gz", "/x", "/x/y.tar", "y.tar"]),
      ("dir.d/file", ["file", "dir.d", "dir.d/file", "file"]),
      ("noext", ["noext", ".", "noext", "noext"]), (".hidden", [".hidden", ".", "", ""]),
      ("a/.hidden", [".hidden", "a", "a/", ""]), ("a/b/", ["", "a", "a/b/", ""]),
      ("/", ["", "/", "/", ""]), ("//", ["", "/", "//", ""]), ("a//b", ["b", "a", "a//b", "b"]),
      ("a.b.c", ["a.b.c", ".", "a.b", "a.b"]), ("x.", ["x.", ".", "x", "x"]),
      ("a/x.", ["x.", "a", "a/x", "x"]), ("", ["", ".", "", ""]), ("/a", ["a", "/", "/a", "a"]),
      ("é.ü/ñ.fits", ["ñ.fits", "é.ü", "é.ü/ñ", "ñ"]),
      ("a b/c d.e", ["c d.e", "a b", "a b/c d", "c d"]), ("./x.y", ["x.y", ".", "./x", "x"]),
      ("../x", ["x", "..", "../x", "x"]), ("..", ["..", ".", ".", "."]), (".", [".", ".", "", ""]),
      ("a/..", ["..", "a", "a/.", "."]), ("-n", ["-n", ".", "-n", "-n"]),
      ("a/b//", ["", "a", "a/b//", ""]),
    ])
  func parallel(text: String, parts: [String]) throws {
    #expect(try words(["{}", "{/}", "{//}", "{.}", "{/.}"], text) == [text] + parts)
    #expect(try words(["{1}", "{1/}", "{1//}", "{1.}", "{1/.}"], text) == [text] + parts)
  }

  @Test("Tabs stand between columns, and an input without the column that is meant fails for good")
  func columns() throws {
    let text = "a\tb.c\td/e.f"
    #expect(
      try words(["{}", "{1}", "{2.}", "{3/}", "{3//}", "{1}{2}"], text)
        == [text, "a", "b", "e.f", "d", "ab.c"])
    #expect(throws: UnmendableFailure.self) { try words(["{4}"], text) }
    #expect(throws: UnmendableFailure.self) { try words(["x", "{2/.}"], "a") }
    #expect(try words(["{2}"], "a\t") == [""])
  }

  @Test("{#} counts inputs from 1")
  func count() throws {
    #expect(try words(["{#}", "x{#}y{}"], "q", place: 6) == ["7", "x7yq"])
  }

  @Test(
    "Other braces stay as they are",
    arguments: [
      ("x{}y", "xqy"), ("{} {}", "q q"), ("{a}", "{a}"), ("{{}}", "{q}"), ("{1", "{1"), ("{", "{"),
      ("{0}", "{0}"), ("}{", "}{"), ("{1 }", "{1 }"), ("{///}", "{///}"), ("{..}", "{..}"),
      ("{ {}", "{ q"), ("awk '{print $1}'", "awk '{print $1}'"), ("${}", "$q"), ("{-1}", "{-1}"),
      ("{99999999999999999999}", "{99999999999999999999}"), ("é{}ü", "éqü"),
    ])
  func literal(word: String, result: String) throws {
    #expect(try words([word], "q") == [result])
  }

  @Test(
    "An input is one argument, whatever it has in it, and is not looked at again",
    arguments: ["-rf", "--", "a b", "a\nb", "'; rm x", "$(id)", "{}", "{#}", "*", "", "\"", "\\"])
  func hostile(text: String) throws {
    #expect(try words(["cmd", "{}", "x={}"], text) == ["cmd", text, "x=\(text)"])
  }

  @Test("A template knows whether the input takes a place in it")
  func placeholders() {
    #expect(ProgramTemplate(["a", "b{#}"]).hasPlaceholders)
    #expect(!ProgramTemplate(["a", "{b}"]).hasPlaceholders)
  }
}
