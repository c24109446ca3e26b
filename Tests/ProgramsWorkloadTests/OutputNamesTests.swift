import Foundation
import SkyNetCore
import SkyPrograms
import SkyTestSupport
import Testing

@testable import ProgramsWorkload

@Suite("The names of programs' outputs")
struct OutputNamesTests {
  @Test(
    "Placeholders of images and of arguments stand for the input as it was given",
    arguments: [
      ("out/{name}.txt", "night/a.fits.fz", "out/a.txt"),
      ("out/{/}.txt", "night/a.fits", "out/a.fits.txt"),
      ("{.}.txt", "night/a.fits", "night/a.txt"), ("{dir}/{name}", "a", "./a"),
      ("{//}/{/.}", "x/a.b", "x/a"), ("o/{#}", "q", "o/8"), ("o/{}.txt", "17", "o/17.txt"),
      ("{2}-{1}", "a\tb", "b-a"), ("{{{}}}", "a", "{a}"),
    ])
  func path(pattern: String, input: String, path: String) throws {
    #expect(try OutputNames(pattern).path(of: TemplateInput(input, place: 7)) == path)
  }

  @Test("No input leads an output out of its folder")
  func outside() throws {
    let names = try OutputNames("out/{}")
    for input in ["../a", "x/../../a", ".."] {
      #expect(throws: UnmendableFailure.self) { try names.path(of: TemplateInput(input, place: 0)) }
    }
    #expect(try names.path(of: TemplateInput("a..b/...", place: 0)) == "out/a..b/...")
    // A name that begins with the input's own folder asks for it.
    #expect(try OutputNames("{//}/x").path(of: TemplateInput("../a", place: 0)) == "../x")
  }

  @Test("An input without the column that a name asks for has no file")
  func column() throws {
    let names = try OutputNames("{2}")
    #expect(throws: UnmendableFailure.self) { try names.path(of: TemplateInput("a", place: 0)) }
  }

  @Test(
    "Two inputs have no file in common, by whatever path, and none replaces an input or a file of the run"
  )
  func claims() throws {
    let folder = try TemporaryFolder()
    let input = try folder.write("in.txt", [1])
    #expect(symlink(folder.path, folder.file("link")) == 0)
    let word = try folder.write("word.txt", [1])
    let settings = ProgramSettings(["x", "--config=\(word)", "--mask={1}"])
    var claims = OutputClaims(settings, run: [("journal", folder.file("run.sqlite"))])
    #expect(claims.read(InputFacts(input, place: 0, settings)) == nil)
    #expect(claims.claim(word, for: "w")?.contains("program's words name") == true)
    let mask = try folder.write("mask.txt", [1])
    claims.readWords(of: TemplateInput("\(mask)\t2", place: 0))
    #expect(claims.claim(mask, for: "m")?.contains("program's words name") == true)
    #expect(claims.claim(folder.file("out/a"), for: "a") == nil)
    let below = claims.claim(folder.file("out/a/b"), for: "a/b")
    #expect(below?.contains("a folder that is the output of a") == true)
    #expect(claims.claim(folder.file("out/c/d"), for: "c/d") == nil)
    #expect(claims.claim(folder.file("out/c"), for: "c")?.contains("output of c/d is in") == true)
    #expect(claims.claim(folder.file("a"), for: "x/a") == nil)
    let clash = claims.claim(folder.file("link/a"), for: "y/a")
    #expect(clash?.contains("x/a and y/a would both write") == true)
    #expect(claims.claim(folder.file("a"), for: "x/a")?.contains("x/a is given twice") == true)
    #expect(claims.claim(folder.file("b"), for: "b") == nil)
    #expect(claims.claim(input, for: "c")?.contains("is an input") == true)
    #expect(claims.claim(folder.file("link/run.sqlite"), for: "d")?.contains("--journal") == true)
    #expect(
      claims.claim("/dev/null", for: "e") == nil && claims.claim("/dev/null", for: "f") == nil)
  }
}
