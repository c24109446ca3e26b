import ArgumentParser
import Testing

@testable import SkyNetCLI
@testable import SkyNetCommand

@Suite("Unknown commands")
struct UnknownCommandTests {
  @Test(
    "A misspelled command is refused with the one that was meant",
    arguments: [
      ("nod", "node"), ("noeds", "nodes"), ("nodes slrum", "slurm"), ("ndoe", "node"),
      ("engge", "engage"),
      ("eng", "engage"), ("ENGAGE", "engage"), ("sytem", "systems"), ("rnus", "runs"),
      ("key shw", "show"), ("key imprt", "import"), ("help engag", "engage"),
      ("help key nwe", "new"), ("version", "--version"), ("nod --name a", "node"),
    ])
  func aMisspelledCommandIsRefused(line: String, meant: String) async throws {
    let error = await #expect(throws: InvalidCommandLine.self) {
      _ = try await SkyNet.command(line.split(separator: " ").map(String.init))
    }
    let fault = try #require(error?.fault)
    #expect(fault.hasSuffix(": did you mean \"\(meant)\"?"), "\(fault)")
  }

  @Test("A word that is close to no command is refused without a guess")
  func aForeignWordIsRefused() async throws {
    for line in ["launch", "help launch", "key launch", "n", "re"] {
      let arguments = line.split(separator: " ").map(String.init)
      let error = await #expect(throws: InvalidCommandLine.self) {
        _ = try await SkyNet.command(arguments)
      }
      let word = try #require(arguments.last)
      #expect(error?.fault == "there is no command \"\(word)\"")
      #expect(error?.lines(in: SkyNet.root(for: arguments)).count == 3)
    }
  }

  @Test("Commands, their arguments and help are not refused")
  func commandsAreNotRefused() throws {
    for line in [
      "", "node", "help", "help help", "help node", "help key show", "key show", "runs nod",
      "merge --image x a",
      "--version", "--help nod", "reader-check", "make-sky nod",
    ] {
      let arguments = line.split(separator: " ").map(String.init)
      try UnknownCommand.check(arguments, of: SkyNet.root(for: arguments))
    }
  }

  @Test("Letters that are exchanged with their neighbours count once")
  func exchangedLettersCountOnce() {
    #expect(EditDistance.between("node", "node") == 0)
    #expect(EditDistance.between("ndoe", "node") == 1)
    #expect(EditDistance.between("", "key") == 3)
    #expect(EditDistance.between("kitten", "sitting") == 3)
    #expect(EditDistance.between("replay", "report") == 3)
  }
}
