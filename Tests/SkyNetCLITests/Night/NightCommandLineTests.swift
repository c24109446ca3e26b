import ArgumentParser
import Testing

@testable import SkyNetCLI

@Suite("The command line of a night")
struct NightCommandLineTests {
  @Test(
    "A pattern that cannot name the outputs of several images is an error of the command line",
    arguments: [
      (["--catalog", "out/{nmae}.csv"], "there is no {nmae}"),
      (["--catalog", "out/all.csv"], "put {name} into it"),
      (["--catalog", "{name}.csv", "--picture", "all.png"], "put {name} into it"),
      (["--catalog", "{name}.csv", "--weight", "{name.fits"], "a { without a }"),
      (["--catalog", "{name}.txt"], "no catalogue's format ends in .txt"),
    ])
  func aWrongPatternIsAnErrorOfTheCommandLine(options: [String], fault: String) {
    #expect {
      let arguments = ["engage", "--image", "a.fits", "b.fits"] + options
      _ = try SkyNet.root(for: arguments).parseAsRoot(arguments)
    } throws: { error in
      SkyNet.text(of: error).contains(fault)
        && SkyNet.status(of: error) == 64
    }
  }

  @Test("Braces in the weights of one image are the file's own")
  func braces() throws {
    let arguments = [
      "engage", "--image", "a.fits", "--weight", "w{x}.fits", "--catalog", "a.csv",
    ]
    _ = try SkyNet.root(for: arguments).parseAsRoot(arguments)
  }
}
