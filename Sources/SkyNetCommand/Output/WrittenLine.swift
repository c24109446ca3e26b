package import SkyNetCore

/// What a run's end says of each file that it wrote: `wrote results.jsonl: 198 results, 2 failures`.
package enum WrittenLine {
  package static func results(_ file: String, _ tally: Tally) -> String {
    wrote(file, count(tally.completed, "result"))
      + (tally.failed > 0 ? ", \(count(tally.failed, "failure"))" : "")
  }

  package static func events(_ file: String, _ events: Int) -> String {
    wrote(file, count(events, "event"))
  }

  package static func sources(_ file: String, _ sources: Int) -> String {
    wrote(file, count(sources, "source"))
  }

  package static func checkImage(_ file: String) -> String { "wrote \(name(file))" }

  package static func journal(_ file: String, _ tally: Tally) -> String {
    "recorded in \(file): \(tally.completed) of \(count(tally.total, "sector"))"
      + (tally.failed > 0 ? ", \(count(tally.failed, "failure"))" : "")
  }

  private static func name(_ output: String) -> String {
    output == "-" ? StandardOutput.name : output
  }

  private static func wrote(_ file: String, _ what: String) -> String {
    "wrote \(name(file)): \(what)"
  }

  private static func count(_ number: Int, _ name: String) -> String {
    "\(number) \(name)\(number == 1 ? "" : "s")"
  }
}
