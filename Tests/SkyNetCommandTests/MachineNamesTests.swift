import Testing

@testable import SkyNetKit

@Suite("The machine's own names")
struct MachineNamesTests {
  @Test("A hosts file tells the names that stand beside the host's, and no others")
  func hosts() {
    let hosts = """
      127.0.0.1 localhost  # ada
      127.0.1.1\tAda.lab.example Ada
      10.0.0.7 ada-2 # ada
      0.0.0.0 ads.example
      ada
      """
    #expect(Machine.names(beside: ["ada", "ada"], in: hosts) == ["Ada.lab.example", "Ada"])
    #expect(Machine.names(beside: ["", "node"], in: hosts) == [])
  }

  @Test("The host's name is known with and without its domain, and by multicast DNS")
  func own() {
    #expect(Set(Machine.names).isSuperset(of: [Machine.name, "\(Machine.name).local"]))
  }
}
