import ArgumentParser
import Testing

@testable import SkyNetCLI

@Suite("Options of the other kind of sky")
struct MisplacedOptionsTests {
  @Test("every option that a group declares is among the names that are looked for first")
  func likelyNames() throws {
    for groups in [MisplacedOptions.simulationGroups, MisplacedOptions.imageGroups] {
      let likely = MisplacedOptions.likelyNames(of: groups)
      let declared = try groups.flatMap { try DeclaredArgument.all(of: $0).flatMap(\.longNames) }
      #expect(Set(declared).subtracting(likely).subtracting(["--help"]).isEmpty)
      #expect(likely.count >= 4)
    }
  }
}
