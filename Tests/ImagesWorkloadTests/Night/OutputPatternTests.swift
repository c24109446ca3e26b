import ArgumentParser
import Testing

@testable import ImagesWorkload

@Suite("Patterns of output names")
struct OutputPatternTests {
  private func path(_ pattern: String, _ image: String, _ label: String? = nil) throws -> String {
    try OutputPattern(pattern, flag: "catalog").path(for: image, label: label)
  }

  @Test(
    "{name} is the file's name without its folder and endings",
    arguments: [
      ("night/a.fits", "a"), ("a.fit", "a"), ("a.fts", "a"), ("A.FITS", "A"), ("a.fits.fz", "a"),
      ("a.Fit.GZ", "a"), ("/a.fts.gz", "a"), ("a.b.fits", "a.b"), ("a", "a"), ("a.fz", "a.fz"),
      ("a.gz", "a.gz"), ("a.fits.gz.fz", "a.fits.gz.fz"), ("a.fits.bz2", "a.fits.bz2"),
      (".fits", ".fits"), ("a.fits.fits", "a.fits"), ("é.fits", "é"), ("a{ext}.fits", "a{ext}"),
    ])
  func nameIsTheFilesName(image: String, name: String) throws {
    #expect(try path("out/{name}.csv", image) == "out/\(name).csv")
  }

  @Test(
    "{dir} is the folder as it was given",
    arguments: [
      ("a.fits", "./x/a"), ("night/a.fits", "night/x/a"), ("/a.fits", "//x/a"),
      ("../n//a.fits", "../n/x/a"), ("./a.fits", "./x/a"),
    ])
  func dirIsTheFolder(image: String, result: String) throws {
    #expect(try path("{dir}/x/{name}", image) == result)
  }

  @Test(
    "{ext} is the extension, and takes one separator with it where the file has one image",
    arguments: [
      ("{name}_{ext}.csv", "a_CCD2.csv", "a.csv"), ("{name}{ext}.csv", "aCCD2.csv", "a.csv"),
      ("{name}.{ext}.csv", "a.CCD2.csv", "a.csv"), ("{ext}-{name}.csv", "CCD2-a.csv", "a.csv"),
      ("o/{ext}/{name}.csv", "o/CCD2/a.csv", "o/a.csv"),
      ("{ext}/{name}.csv", "CCD2/a.csv", "a.csv"),
      ("o/x_{ext}_{name}.csv", "o/x_CCD2_a.csv", "o/x_a.csv"),
      ("{name}/{ext}.csv", "a/CCD2.csv", "a/csv"), ("{name}__{ext}.csv", "a__CCD2.csv", "a_.csv"),
    ])
  func extTakesASeparatorWithIt(pattern: String, several: String, one: String) throws {
    #expect(try path(pattern, "a.fits", "CCD2") == several)
    #expect(try path(pattern, "a.fits", nil) == one)
    #expect(try path(pattern, "a.fits", "") == one)
  }

  @Test("Two braces stand for one")
  func twoBracesStandForOne() throws {
    #expect(try path("{{{name}}}.csv", "a.fits") == "{a}.csv")
    #expect(try OutputPattern("{{name}}", flag: "catalog").isFixed)
  }

  @Test(
    "A pattern that is wrong is refused with the placeholders that there are",
    arguments: [
      ("{nmae}.csv", "there is no {nmae}"), ("{}.csv", "there is no {}"),
      ("{Name}.csv", "there is no {Name}"), ("{name.csv", "a { without a }"),
      ("{name}}.csv", "a } without a {"), ("a}.csv", "a } without a {"), ("a{", "a { without a }"),
      ("{name{ext}}", "there is no {name{ext}"),
    ])
  func wrongPatternsAreRefused(pattern: String, fault: String) {
    #expect {
      try OutputPattern(pattern, flag: "picture")
    } throws: { error in
      let text = "\((error as? ValidationError)?.message ?? "")"
      return text.hasPrefix("--picture \(pattern)") && text.contains(fault)
        && ["{name}", "{ext}", "{dir}", "{{"].allSatisfy { text.contains($0) }
    }
  }

  @Test(
    "A name without a placeholder is refused for several images, with one that has it",
    arguments: [
      ("out/all.csv", "'out/{name}.csv'"), ("all.csv", "'{name}.csv'"), ("/all", "'/{name}'"),
      ("d.x/all", "'d.x/{name}'"),
    ])
  func aFixedNameIsNotForSeveralImages(pattern: String, example: String) throws {
    #expect {
      try OutputPattern(pattern, flag: "catalog").checkForSeveralImages(flag: "catalog")
    } throws: { error in
      (error as? ValidationError)?.message.hasSuffix(
        "put {name} into it, such as --catalog \(example)")
        == true
    }
    for pattern in ["{name}", "{dir}/a.csv", "a_{ext}.csv"] {
      try OutputPattern(pattern, flag: "catalog").checkForSeveralImages(flag: "catalog")
    }
  }
}

@Suite("Labels of a file's images")
struct ExtensionLabelsTests {
  private func labels(_ names: [String?]) -> [String] {
    ExtensionLabels.labels(of: names.enumerated().map { ($0.offset + 1, $0.element) })
  }

  @Test("An image is called by its name, or by its number where the name does not tell it apart")
  func anImageIsCalledByItsNameOrNumber() {
    #expect(labels(["CCD1", "CCD2"]) == ["CCD1", "CCD2"])
    #expect(labels(["SCI", "sci", "ERR"]) == ["1", "2", "ERR"])
    #expect(labels([nil, "", "  ", "SCI"]) == ["1", "2", "3", "SCI"])
    // A name that is a number could be another image's number.
    #expect(labels(["2", nil]) == ["1", "2"])
  }

  @Test("A name from a file chooses no folder")
  func aNameChoosesNoFolder() {
    #expect(
      labels(["../../x", "..", ".", "a\u{0}b\n", " c "]) == [".._.._x", "__", "_", "a_b_", "c"])
    #expect(labels(["a/b", "a_b"]) == ["1", "2"])
  }
}
