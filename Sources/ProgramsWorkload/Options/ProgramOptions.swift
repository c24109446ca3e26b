package import ArgumentParser
import Foundation
import SkyNetCommand
import SkyPrograms

/// What a program is run for, which chooses programs.
package struct ProgramInputs: ParsableArguments {
  package init() {}

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      Run the program after -- for each of these: words, or files by a pattern such as 'night/*.fits'. - is the lines of \
      standard input, also while they are still written.
      """, valueName: "input"), completion: .file())
  package var inputs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run the program after -- for each line of this file; - is standard input.", valueName: "list"
    ),
    completion: .file())
  package var inputsFrom: String?

  /// The list, if it is a file.
  var listFile: String? { inputsFrom == "-" ? nil : inputsFrom }
  var readsStandardInputTwice: Bool {
    (inputs + [inputsFrom].compactMap(\.self)).count { $0 == "-" } > 1
  }
  var readsLists: Bool { inputs.contains("-") || inputsFrom != nil }
  var areGiven: Bool { !inputs.isEmpty || inputsFrom != nil }
  /// Whether there may be more than one input.
  var maySeveral: Bool {
    inputs.count > 1 || inputsFrom != nil
      || inputs.contains { $0 == "-" || $0.contains { "*?[".contains($0) } }
  }

  package func validate() throws {
    if inputsFrom == "" {
      throw ValidationError("--inputs-from is empty, but a list's name is needed")
    }
  }
}

/// How many times a program is run that has no inputs. The simulation has an option of the same name.
package struct ProgramNumbers: ParsableArguments {
  package init() {}

  @Option(
    parsing: .unconditional,
    help: """
      How many sectors to scan, numbered from 0: those of the program after --, or else simulated ones. (default: 20 \
      simulated ones)
      """)
  package var total: Int?

  package func validate() throws { try Check.range("total", total, 1...Int.max) }
}

/// How a program is run, and what becomes of its output.
package struct ProgramOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      Write each standard output as a file of this name, whole or not at all, in place of a result: {name} is the name \
      of the input's file without .fits or the like, {/.} without any ending, and the other placeholders of arguments \
      stand here too.
      """, valueName: "pattern"))
  package var output: String?

  @Flag(help: "Inputs of - and of a list end in a NUL character, as `find -print0` writes them.")
  package var null = false

  @Flag(help: "Standard output is one JSON value, and becomes the result as such, not as text.")
  package var jsonOutput = false

  @Flag(help: "Give the program the input on its standard input, as one line.")
  package var stdin = false

  @Option(
    help: ArgumentHelp(
      """
      Run the program in this folder, from which it finds relative names; or in an empty one of its own for each, which \
      is removed afterwards, by the word empty. (default: .)
      """, valueName: "dir"), completion: .directory)
  package var directory: String?

  @Option(
    help: ArgumentHelp(
      """
      Give the program this variable of the shell, on each system. It may be given several times. Nodes of another \
      account or machine take it with --programs any.
      """, valueName: "name"))
  package var env: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Exit statuses that no retry mends: the sector is given up at once.",
      valueName: "status,…"))
  package var failFastOn: String?

  @Flag(
    help: """
      A program may run twice at a time for one input, on two systems: near the end of the run, those that take long \
      are started once more.
      """)
  package var hedge = false

  /// The statuses of `--fail-fast-on`.
  ///
  /// - Throws: `ValidationError`.
  var failFast: [Int] {
    get throws {
      try (failFastOn ?? "").split(separator: ",").map {
        guard let status = Int($0), (1...255).contains(status) else {
          throw ValidationError(
            "--fail-fast-on is \(failFastOn ?? ""), but statuses from 1 to 255 are needed, such as 64,65"
          )
        }
        return status
      }
    }
  }

  package func validate() throws {
    if try failFastOn != nil && failFast.isEmpty {
      throw ValidationError("--fail-fast-on is empty, but statuses are needed, such as 64,65")
    }
    for name in env { try Self.checkVariable(name) }
    if output == "" { throw ValidationError("--output is empty, but files' names are needed") }
    if output == "-" {
      throw ValidationError(
        "--output - is no file's name: without --output, standard output gets each program's output"
      )
    }
    if directory == "" {
      throw ValidationError("--directory is empty, but a folder's name is needed")
    }
  }
}

extension ProgramOptions {
  private static func checkVariable(_ name: String) throws {
    guard !name.isEmpty, !name.contains("=") else {
      throw ValidationError(
        "--env \(name): a variable's name alone is needed: export it in the shell, and give --env NAME"
      )
    }
    guard !name.hasPrefix("SKYNET_") else {
      throw ValidationError("--env \(name): names that begin with SKYNET_ are set by each system")
    }
    guard !["PWD", "OLDPWD"].contains(name) else {
      throw ValidationError("--env \(name): a program's PWD is the folder in which it runs")
    }
    guard let value = getenv(name) else {
      throw ValidationError("--env \(name): this shell has exported no variable of that name")
    }
    guard String(validatingCString: value) != nil else {
      throw ValidationError(
        "--env \(name): its value is not UTF-8, and only such text goes to other systems: have the program set it"
      )
    }
  }
}

/// The table of a run of programs. The scan of many images has an option of the same name.
package struct ProgramTableOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      The file for a table of what became of each image or input: of images, their sources, seconds, systems and \
      failures; of programs, the columns of GNU parallel's --joblog.
      """, valueName: "file"), completion: .file())
  package var summary: String?

  package func validate() throws {
    if summary == "" { throw ValidationError("--summary is empty, but a file's name is needed") }
  }
}
