import ArgumentParser
import Testing

@testable import ImagesWorkload
@testable import SkyNetCLI
@testable import SkyNetCommand

@Suite("Repeated options")
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
      (["engage", "--total", "1", "--total", "2"], ["engage", "--log-format", "x"]),
      (["key", "show", "--key-file", "a", "--key-file", "b"], ["key", "show", "--key-fil", "a"]),
    ])
  func theUsageIsThatOfTheCommand(repeated: [String], refused: [String]) async throws {
    let error = await #expect(throws: InvalidCommandLine.self) {
      _ = try await SkyNet.command(repeated)
    }
    let lines = try #require(error?.lines(in: SkyNet.root(for: repeated)))
    let others = await #expect(throws: (any Error).self) { _ = try await SkyNet.command(refused) }
    let text = SkyNet.text(of: try #require(others))
    #expect(lines.count == 3 && lines[0].hasPrefix("error: --"))
    #expect(lines.suffix(2) == text.split(separator: "\n").map(String.init).suffix(2), "\(text)")
  }

  @Test(
    "Options that may be repeated are not refused",
    arguments: [
      "engage --image x --catalog a.csv --catalog b.csv",
      "engage --image x y --image z --catalog {name}.csv --picture {name}.png",
      "engage --peers a:1 --peers b:2", "engage --json --json", "systems --peers a:1 --peers a:1",
      "engage --total 1 --results=--total", "engage --web 80 --results=--web",
      "merge --image x --background --output y -- --image --image",
    ])
  func repeatableOptionsAreNotRefused(line: String) async throws {
    _ = try await SkyNet.command(line.split(separator: " ").map(String.init))
  }

  @Test("The options that may be repeated are those that README names")
  func repeatable() {
    let engage = DeclaredOptions(of: Engage<Images>.self)
    let flags = [
      "--clean", "--in-order", "--insecure", "--json", "--latency", "--no-discovery", "--no-local",
      "--open", "--partial", "--quiet", "--retry-failed", "--serve", "--strict", "--verbose",
      "--web-keep",
    ]
    #expect(
      engage.names.subtracting(engage.singleValued).subtracting(flags).sorted() == [
        "--catalog", "--data-root", "--image", "--peers", "--web-host",
      ])
  }
}
