import SkyNetKeys
import Testing

@Suite("The source of the key")
struct KeySourceTests {
  private let key = ClusterKey()

  @Test("A named file comes first, then the environment, then the account's own file")
  func order() throws {
    let home = ["HOME": "/home/x"]
    let all = home.merging(["SKYNET_KEY": key.text]) { $1 }
    #expect(try KeySource.find(file: "k", environment: all) == .named(KeyFile(path: "k")))
    #expect(try KeySource.find(environment: all) == .environment(ClusterKeys(key)))
    let named = home.merging(["SKYNET_KEY_FILE": "/run/k", "SKYNET_KEY": ""]) { $1 }
    #expect(try KeySource.find(environment: named) == .named(KeyFile(path: "/run/k")))
    let own = KeyFile(path: "/home/x/.config/skynet/cluster.key")
    #expect(try KeySource.find(environment: home) == .own(own))
  }

  @Test("The account's own file is in XDG_CONFIG_HOME if that is an absolute path")
  func place() throws {
    let xdg = ["HOME": "/home/x", "XDG_CONFIG_HOME": "/c"]
    let there = KeyFile(path: "/c/skynet/cluster.key")
    #expect(try KeySource.find(environment: xdg) == .own(there))
    let relative = ["HOME": "/home/x", "XDG_CONFIG_HOME": "c"]
    let own = KeyFile(path: "/home/x/.config/skynet/cluster.key")
    #expect(try KeySource.find(environment: relative) == .own(own))
  }

  @Test(
    "An environment that names two keys, or none, is an error",
    arguments: [
      [:], ["SKYNET_KEY": "x", "SKYNET_KEY_FILE": "y"], ["SKYNET_KEY": "secret", "HOME": "/"],
    ])
  func errors(_ environment: [String: String]) throws {
    let error = try #require(
      #expect(throws: KeyError.self) { try KeySource.find(environment: environment) })
    #expect("\(error)".contains("SKYNET_KEY"))
    #expect(!"\(error)".contains("secret"))
  }

  @Test("A named file that does not exist is not made")
  func notMade() {
    let source = KeySource.named(KeyFile(path: "/nowhere/at/all"))
    let error = #expect(throws: KeyError.self) { try source.readOrMake() }
    #expect(error?.code == .notFound)
  }
}
