import ArgumentParser
import TestSupport
import Testing

@testable import SkyNetCLI

@Suite("Options for the other kind of scan", .inTurn)
struct MisplacedOptionsTests {
  @Test("The quickly computed names include every option that a group declares")
  func likelyNames() throws {
    for groups in [MisplacedOptions.simulationGroups, MisplacedOptions.imageGroups] {
      let likely = MisplacedOptions.likelyNames(of: groups)
      let declared = try groups.flatMap { try DeclaredArgument.all(of: $0).flatMap(\.longNames) }
      #expect(Set(declared).subtracting(likely).subtracting(["--help"]).isEmpty)
      #expect(likely.count >= 4)
    }
  }
}
