import ArgumentParser
import SkyNetCommand
import SkyTestSupport
import Testing

@testable import ProgramsWorkload
@testable import SkyPrograms

@Suite("The options of programs")
struct OptionsTests {
  private func parsed(_ words: [String]) throws -> Programs { try Programs.parse(words) }

  private func fault(_ words: [String]) -> String {
    do {
      _ = try parsed(words)
      return ""
    } catch {
      return Programs.message(for: error)
    }
  }

  @Test("Words after -- are taken as they are")
  func words() throws {
    let total = try parsed(["--total", "3", "--", "./scan.sh", "--total", "-x", "--", "{}"])
    #expect(total.words == ["./scan.sh", "--total", "-x", "--", "{}"])
    #expect(total.numbers.total == 3)
    let inputs = try parsed([
      "--inputs", "a", "b c", "-", "--stdin", "--fail-fast-on", "64,65", "--", "cat",
    ])
    #expect(inputs.inputs.inputs == ["a", "b c", "-"])
    #expect(try inputs.running.failFast == [64, 65])
    #expect(inputs.words == ["cat"])
  }

  @Test(
    "A wrong command line is refused with the fault and what to type",
    arguments: [
      (["--total", "3"], "it comes after --"), (["--total", "3", "--"], "it comes after --"),
      (["--total", "3", "--", ""], "is empty"), (["--", "x"], "--total N"),
      (["--inputs", "a", "--total", "3", "--", "x"], "leave out one"),
      (["--inputs", "-", "a", "-", "--", "x"], "leave out one -"),
      (["--inputs", "--", "x"], "Missing value"), (["--total", "0", "--", "x"], "at least 1"),
      (
        ["--total", "3", "--output", "o", "--json-output", "--", "x"],
        "--json-output makes results of the outputs, and --output files"
      ),
      (["--total", "3", "--output", "out/x.txt", "--", "x"], "'out/{name}.txt'"),
      (["--total", "3", "--output", "{//}/x", "--", "x"], "put {name} into it"),
      (["--inputs", "a", "b", "--output", "o.txt", "--", "x"], "'{name}.txt'"),
      (["--inputs", "*.fits", "--output", "o", "--", "x"], "put {name} into it"),
      (["--total", "3", "--output", "{nmae}", "--", "x"], "there is no {nmae}"),
      (["--total", "3", "--output", "", "--", "x"], "--output is empty"),
      (["--total", "3", "--directory", "", "--", "x"], "--directory is empty"),
      (["--total", "3", "--summary", "", "--", "x"], "--summary is empty"),
      (["--total", "3", "--fail-fast-on", "64,x", "--", "x"], "statuses from 1 to 255"),
      (["--total", "3", "--fail-fast-on", "0", "--", "x"], "statuses from 1 to 255"),
      (["--total", "3", "--fail-fast-on", "", "--", "x"], "statuses are needed"),
      (["--total", "3", "--", "a\0b"], "NUL"),
      (
        ["--total", "3", "--", "sh -c x"],
        "leave out the quotes around the whole, as in -- sh -c x"
      ),
      (
        ["--total", "3", "--", "cat {} {} | sort >out/{/.}.txt"],
        #"as in -- sh -c 'cat "$1" "$1" | sort >out/"$2".txt' sh {} {/.}; or name the output's file by --output"#
      ),
      (["--", "x", "{}", ":::", "a"], "there is no ::: here: give --inputs A B"),
      (["--inputs", ":::", "a", "--", "x"], "there is no ::: here"),
      (["--total", "3", "--", "-j", "4", "x"], "there is no -j here: give --slots N"),
    ])
  func faults(words: [String], text: String) {
    #expect(fault(words).contains(text), "\(fault(words))")
  }

  @Test("Words of a program may be what parallel has as options, and a program may have spaces")
  func allowed() throws {
    _ = try parsed(["--total", "3", "--", "parallel", "-j", "4", "echo", ":::", "a"])
    _ = try parsed(["--total", "3", "--", "no such program"])
  }

  @Test("With a pipe as standard input, its lines are offered as inputs")
  func pipe() {
    #expect(Programs.missingInputs("x", hasPipe: true).contains("give --inputs -"))
    #expect(!Programs.missingInputs("x", hasPipe: false).contains("--inputs -"))
  }

  @Test("A program among the inputs is said to belong after --")
  func forgotten() {
    #expect(
      fault(["--inputs", "a.fits", "/bin/sh", "{}"]).contains(
        "engage --inputs a.fits -- /bin/sh '{}'"))
  }

  @Test("One number, and one input, may have a fixed output")
  func fixedOutput() throws {
    _ = try parsed(["--total", "1", "--output", "o.txt", "--", "x"])
    _ = try parsed(["--inputs", "a", "--output", "o.txt", "--", "x"])
  }

  @Test(
    "The process that starts programs is made for commands that run them",
    arguments: [
      ("node", true), ("node --slots 2", true), ("replay run.sqlite --sector 1", true),
      ("engage --total 3 -- x", true), ("engage --total 3 --serve", true),
      ("engage --total 3", false),
      ("report run.sqlite", false), ("", false), ("nodes slurm -- --mem=1", false),
    ])
  func launcher(line: String, isNeeded: Bool) {
    #expect(Programs.needsLauncher(line.split(separator: " ").map(String.init)) == isNeeded)
  }

  @Test(
    "A node runs what it is told, passes it on with absolute paths, and refuses what is not there")
  func offering() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("no-program", [1])
    func arguments(_ words: [String]) throws -> [String] {
      try ProgramsOffering.parse(words).arguments
    }
    #expect(try arguments([]) == [])
    #expect(try arguments(["--programs", "any"]) == ["--programs", "any"])
    #expect(
      try arguments(["--programs", "/bin/sh", "/bin/ls"]) == ["--programs", "/bin/sh", "/bin/ls"])
    #expect(try arguments(["--programs", "sh"]).last?.hasSuffix("/sh") == true)
    #expect(
      try ProgramsOffering.parse(["--programs", "sh"]).offer(withholding: []).scans.count == 1)
    for path in [file, folder.path, "/no/such"] {
      #expect(throws: (any Error).self) {
        try ProgramsOffering.parse(["--programs", path]).offer(withholding: [])
      }
    }
    #expect(
      try arguments(["--programs", "any", "--programs-in", "/", "x"]) == [
        "--programs", "any", "--programs-in", "/", AbsolutePath.of("x"),
      ])
    #expect(throws: (any Error).self) {
      try ProgramsOffering.parse(["--programs", "any", "--programs-in", "/no/such"]).offer(
        withholding: [])
    }
    #expect(throws: (any Error).self) { try arguments(["--programs-in", "/"]) }
    #expect(throws: (any Error).self) { try arguments(["--programs", "any", "/bin/sh"]) }
    #expect(throws: (any Error).self) { try arguments(["--programs", ""]) }
  }
}
