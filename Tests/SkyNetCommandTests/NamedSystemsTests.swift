import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetCommand

@Suite("Systems that a command line names")
struct NamedSystemsTests {
  private static func system(_ name: String, port: Int, shownAs: String? = nil) -> RemoteSystem {
    RemoteSystem(
      Hello(name: name, incarnation: Incarnation(), slots: 4, timeout: .seconds(5), scans: []),
      name: shownAs ?? name, address: "127.0.0.1:\(port)")
  }

  private let a = system("a", port: 1)
  private let b = system("b", port: 2)
  private let otherB = system("b", port: 3, shownAs: "b@127.0.0.1:3")

  @Test("Names are found in their order, each system once")
  func found() throws {
    let systems = NamedSystems(systems: [a, b])
    #expect(try systems.all(["b", "a", "b"]) == [b, a])
    #expect(systems.hasAll(["a", "b"]) && !systems.hasAll(["a", "c"]))
  }

  @Test("A name of two systems is refused with their addresses, and each address is taken")
  func twice() throws {
    let systems = NamedSystems(systems: [a, b, otherB])
    #expect(
      throws: NamedSystems.Failure(
        description: "2 systems have the name b: give one of b@127.0.0.1:2, b@127.0.0.1:3")
    ) { try systems.all(["b"]) }
    #expect(try systems.all(["b@127.0.0.1:2", "b@127.0.0.1:3"]) == [b, otherB])
  }

  @Test("An address alone names the system that is there")
  func address() throws {
    #expect(try NamedSystems(systems: [a, b]).all(["127.0.0.1:2"]) == [b])
  }

  @Test("An unknown name is refused with the names that are there")
  func unknown() {
    #expect(
      throws: NamedSystems.Failure(description: "no system has the name c: there are a, b")
    ) { try NamedSystems(systems: [b, a]).all(["a", "c"]) }
    #expect(
      throws: NamedSystems.Failure(
        description: "no system has the name c: none was found; look for longer with "
          + "--search-timeout, or give its address with --peers")
    ) { try NamedSystems(systems: []).all(["c"]) }
  }
}
