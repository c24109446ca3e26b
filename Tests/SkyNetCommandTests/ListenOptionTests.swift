import ArgumentParser
import SkyNetCore
import Testing

@testable import SkyNetCommand

private struct Listening: ParsableCommand {
  @Option(defaultAsFlag: ListenOption.loopback, parsing: .next, help: "Listen.") var web:
    ListenOption?
  @Flag var json = false
  @Option var total = 0
}

@Suite("Where a server listens")
struct ListenOptionTests {
  @Test(
    "The option has a value or none, and an address lacks no part",
    arguments: [
      ("--web", "127.0.0.1:0"), ("--web --json", "127.0.0.1:0"), ("--web --total 5", "127.0.0.1:0"),
      ("--total 5 --web", "127.0.0.1:0"), ("--web 8080", "127.0.0.1:8080"),
      ("--web=8080 --json", "127.0.0.1:8080"), ("--web 0.0.0.0:80", "0.0.0.0:80"),
      ("--web=[::1]:80", "[::1]:80"), ("--web host:0", "host:0"), ("--web [::]:0", "[::]:0"),
      ("--web 0", "127.0.0.1:0"), ("--web=", "127.0.0.1:0"), ("--web=80 --total 5", "127.0.0.1:80"),
    ])
  func forms(line: String, address: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let command = try Listening.parse(words)
    let endpoint = try #require(try command.web?.endpoint(flag: "web"))
    #expect("\(endpoint)" == address)
    #expect(command.json == words.contains("--json"))
    #expect(command.total == (words.contains("--total") ? 5 : 0))
  }

  @Test("Without the option nothing listens")
  func absence() throws {
    #expect(try Listening.parse(["--json"]).web == nil)
  }

  @Test(
    "A value that is no address is refused with its fault",
    arguments: ["localhost", "65536", "-1", "+80", ":80", "host:", "host:65536", "::1", "a b"])
  func faults(value: String) throws {
    let option = try #require(try Listening.parse(["--web=\(value)"]).web)
    let error = #expect(throws: ValidationError.self) { try option.endpoint(flag: "web") }
    #expect(error?.message.hasPrefix("--web is \"\(value)\"") == true)
  }

  @Test("The check for repeated options knows that the value may be left out")
  func repetition() throws {
    func check(_ line: String) throws {
      try RepeatedOption.check(
        ["x"] + line.split(separator: " ").map(String.init), of: Listening.self)
    }
    #expect(throws: RepeatedOption(option: "--web", values: ["", "80"])) {
      try check("--web --json --web 80")
    }
    #expect(throws: RepeatedOption(option: "--total", values: ["1", "2"])) {
      try check("--web --total 1 --total 2")
    }
    try check("--web 80 --total 1 --json --json")
  }
}
