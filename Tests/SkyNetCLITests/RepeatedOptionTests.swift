import ArgumentParser
import TestSupport
import Testing

@testable import SkyNetCLI

@Suite("Repeated options", .ownThreads)
struct RepeatedOptionTests {
  @Test(
    "An option with one value that is given twice is refused with both values",
    arguments: [
      (
        ["engage", "--catalog", "{name}.csv", "--images=a", "--images", "b"], "--images",
        ["a", "b"]
      ),
      (
        [
          "engage", "--image", "a", "b", "--catalog={name}.csv", "--journal", "j", "--image", "c",
          "--journal", "k",
        ], "--journal", ["j", "k"]
      ),
      (["engage", "--total", "5", "--total", "5"], "--total", ["5", "5"]),
      (
        ["engage", "--results", "a", "--json", "--results=b", "--results", "c"], "--results",
        ["a", "b", "c"]
      ),
      (["engage", "--journal", "a", "--journal", "b"], "--journal", ["a", "b"]),
      (["node", "--name", "a", "--name", "b"], "--name", ["a", "b"]),
      (["systems", "--wait", "1", "--wait", "2"], "--wait", ["1", "2"]),
      (["scan", "--image", "a", "--count", "--image", "b"], "--image", ["a", "b"]),
      (
        ["merge", "--image", "a", "--background", "--output", "x", "--output", "y", "f"],
        "--output",
        ["x", "y"]
      ),
      (["make-sky", "x.fits", "--seed", "1", "--seed", "2"], "--seed", ["1", "2"]),
      (["report", "j", "-o", "x", "--output=y"], "--output", ["x", "y"]),
      (["key", "show", "--key-file", "a", "--key-file", "b"], "--key-file", ["a", "b"]),
    ])
  func bothValuesAreShown(arguments: [String], option: String, values: [String]) async throws {
    let error = await #expect(throws: InvalidCommandLine.self) {
      _ = try await SkyNet.command(arguments)
    }
    let text = try #require(error?.fault)
    #expect(text.hasPrefix("\(option) is given \(values.count) times"), "\(text)")
    #expect(text.contains(values.map { "\"\($0)\"" }.joined(separator: " and ")), "\(text)")
  }

  /// The form is that of the parser's own errors.
  @Test(
    "The message ends with the command's usage, as the parser's own",
    arguments: [
      (["engage", "--total", "1", "--total", "2"], ["engage", "--total", "x"]),
      (["key", "show", "--key-file", "a", "--key-file", "b"], ["key", "show", "--key-fil", "a"]),
    ])
  func theUsageIsThatOfTheCommand(repeated: [String], refused: [String]) async throws {
    let error = await #expect(throws: InvalidCommandLine.self) {
      _ = try await SkyNet.command(repeated)
    }
    let lines = try #require(error?.lines)
    let others = await #expect(throws: (any Error).self) { _ = try await SkyNet.command(refused) }
    let text = SkyNet.fullMessage(for: try #require(others))
    #expect(lines.count == 3 && lines[0].hasPrefix("error: --"))
    #expect(lines.suffix(2) == text.split(separator: "\n").map(String.init).suffix(2), "\(text)")
  }

  @Test("Options that may be repeated are not refused")
  func repeatableOptionsAreNotRefused() throws {
    let lines: [(command: any ParsableCommand.Type, arguments: String)] = [
      (EngageCommand.self, "engage --image x --catalog a.csv --catalog b.csv"),
      (EngageCommand.self, "engage --image x y --image z --catalog a --picture b"),
      (EngageCommand.self, "engage --peers a:1 --peers b:2"),
      (EngageCommand.self, "engage --json --json"),
      (SystemsCommand.self, "systems --peers a:1 --peers a:1"),
      // The second `--total` is a value.
      (EngageCommand.self, "engage --total --total --seed 1"),
      (MergeCommand.self, "merge --image x --background -- --image --image"),
    ]
    for (command, arguments) in lines {
      try RepeatedOption.check(
        arguments.split(separator: " ").map(String.init), of: command)
    }
  }

  /// The check reads a command line as the parser does only if each option has one value, after it
  /// or after "=", and a long name; the few short names have to be known.
  @Test("Every declared option is of the kind that the check can read")
  func everyOptionIsOfTheKindThatIsChecked() throws {
    var commands = SkyNet.configuration.subcommands
    while let command = commands.popLast() {
      commands += command.configuration.subcommands
      for option in try DeclaredArgument.all(of: command) where option.kind == "option" {
        #expect(
          ["default", "unconditional", "scanningForValue", "upToNextOption"].contains(
            option.parsingStrategy),
          "\(command) \(option)")
        let names = option.names ?? []
        let short = names.filter { $0.kind == "short" }.map { "-\($0.name)" }
        #expect(
          short.allSatisfy { RepeatedOption.shortNames[$0] == option.longNames.first },
          "\(command) \(option)")
        #expect(names.count == 1 + short.count, "\(command) \(option)")
      }
    }
    let engage = try DeclaredArgument.options(of: EngageCommand.self)
    #expect(
      engage.filter(\.value.isRepeating).keys.sorted() == [
        "--catalog", "--data-root", "--image", "--peers", "--web-host",
      ])
  }
}
