import Testing

@testable import ImagesWorkload

@Suite("Image names")
struct ImageNameTests {
  @Test(
    "Brackets at the end choose an image",
    arguments: [
      ("a.fits", "a.fits", nil), ("a.fits[2]", "a.fits", "2"), ("a.fits[CCD2]", "a.fits", "CCD2"),
      ("d[1]/a.fits[SCI,2]", "d[1]/a.fits", "SCI,2"), ("a.fits[ 0 ]", "a.fits", "0"),
      ("[2]", "[2]", nil), ("a.fits[2", "a.fits[2", nil), ("a[2].fits", "a[2].fits", nil),
    ])
  func bracketsAtTheEndChooseAnImage(text: String, path: String, chosen: String?) {
    let name = ImageName(text, isThere: { _ in false })
    #expect(name.path == path && name.extension == chosen)
  }

  @Test("A file whose name ends in brackets takes precedence")
  func aFileWithBracketsTakesPrecedence() {
    let name = ImageName("a.fits[2]", isThere: { $0 == "a.fits[2]" })
    #expect(name.path == "a.fits[2]" && name.extension == nil)
  }

  @Test("The reader process starts only for commands that read an image")
  func theReaderIsStartedForCommandsThatReadAnImageOnly() {
    for words in [
      "engage --image a", "engage --slots 2 --image=a", "scan --image a", "reader-check",
      "replay run.sqlite", "report run.sqlite", "sex a",
    ] {
      #expect(ImageReader.isNeeded(by: words.split(separator: " ").map(String.init)))
    }
    for words in ["", "engage --total 5", "node --name --image", "--version", "key show"] {
      #expect(!ImageReader.isNeeded(by: words.split(separator: " ").map(String.init)))
    }
  }
}
