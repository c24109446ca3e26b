import Foundation
import SkyFiles
import SkyNetCommand
import SkyPrograms

/// Words after `--` that are probably meant otherwise than they are taken.
enum DoubtfulWords {
  /// Why the first word is no program, if it is a whole command line.
  static func fault(_ program: String) -> String? {
    let pieces = program.split(whereSeparator: \.isWhitespace).map(String.init)
    guard pieces.count > 1, ProgramSearch.path(of: program) == nil,
      ProgramSearch.path(of: pieces[0]) != nil
    else { return nil }
    let advice =
      program.contains(where: { "|&;<>()$`*?\"'\\~".contains($0) })
      ? "have a shell read it, as in -- " + inShell(program)
      : "leave out the quotes around the whole, as in -- "
        + pieces.map(ShellWord.quoted).joined(separator: " ")
    return "there is no program \(ShellWord.quoted(program)): " + advice
      + (program.contains(">") ? "; or name the output's file by --output" : "")
  }

  /// The words by which a shell runs a line. It gets what stands for placeholders as arguments, and reads none of it.
  private static func inShell(_ line: String) -> String {
    var arguments: [String] = []
    let script = line.replacing(/\{[^{}\s]*\}/) { match in
      let text = String(match.output)
      guard ProgramPlaceholder(named: text.dropFirst().dropLast()) != nil else { return text }
      if !arguments.contains(text) { arguments.append(text) }
      return "\"$\((arguments.firstIndex(of: text) ?? 0) + 1)\""
    }
    return (["sh", "-c", ShellWord.quoted(script)] + (arguments.isEmpty ? [] : ["sh"] + arguments))
      .joined(separator: " ")
  }

  /// What to say of texts in braces that stay as they are, and are placeholders of `--output` or of GNU parallel. They
  /// are no fault: programs have languages of their own, and nothing would let these texts pass.
  static func warnings(_ words: [String]) -> [String] {
    var seen: Set<Substring> = []
    return words.flatMap {
      $0.matches(of: /\{(?:name|dir|%|#[#:]|\+[\/.]*|=[^}]*=|\d*[\/.]+|-\d+[\/.]*)\}/)
    }
    .map(\.output).filter { ProgramPlaceholder(named: $0.dropFirst().dropLast()) == nil }
    .filter { seen.insert($0).inserted }
    .map { "\($0) stays as it is among the program's words: \(instead(of: $0))" }
  }

  private static func instead(of text: Substring) -> String {
    switch text {
    case "{name}":
      "{/.} is the name of the input's file without its ending, and {name} is for --output"
    case "{dir}": "{//} is the folder of the input's file, and {dir} is for --output"
    case "{%}": "a program has the number of its slot in SKYNET_SLOT"
    default: "placeholders are {}, {/}, {//}, {.}, {/.}, {#}, {1}, {1/} and so on"
    }
  }
}
