/// A word that GNU parallel, xargs or a job array has for what is another option here.
struct ForeignOption: Hashable, Sendable {
  let names: [String]
  /// What to type instead, or why there is nothing.
  let instead: String

  private init(_ names: String..., instead: String) {
    (self.names, self.instead) = (names, instead)
  }

  /// `docs/programs.md` has the same table; a test compares them.
  static let all = [
    ForeignOption(
      "-j", "--jobs", "-P", "--max-procs", instead: "give --slots N, here and to each node"),
    ForeignOption("-k", "--keep-order", instead: "give --in-order"),
    ForeignOption("--joblog", instead: "give --summary FILE"),
    ForeignOption("--resume", instead: "give --journal FILE both times"),
    ForeignOption("--resume-failed", instead: "give --journal FILE, and then --retry-failed too"),
    ForeignOption("--retries", instead: "give --attempts N"),
    ForeignOption(
      "--bar", "--eta", "--progress",
      instead:
        "leave it out, and a terminal has a panel where --output or --results takes outputs; or give --web"
    ),
    ForeignOption(
      ":::", "::::", ":::+",
      instead:
        "give --inputs A B, or --inputs-from LIST, and then -- with the program; pairs of two lists are a table of tabs"
    ),
    ForeignOption(
      "--link", "--xapply",
      instead: "write what belongs together as columns of a line, as paste does"),
    ForeignOption("--header", instead: "leave the first line out, as tail -n +2 does"),
    ForeignOption("--shuf", instead: "mix the lines of the list, as shuf does"),
    ForeignOption(
      "--delay", "--load", "--memfree", "--memsuspend", "--noswap",
      instead: "give --slots N: a machine runs as many at a time"),
    ForeignOption("-a", "--arg-file", instead: "give --inputs-from LIST"),
    ForeignOption("-0", instead: "give --null, with --inputs - or --inputs-from LIST"),
    ForeignOption(
      "-d", "--delimiter", instead: "write one input a line, for --inputs - or --inputs-from LIST"),
    ForeignOption(
      "-C", "--colsep",
      instead: "give --inputs-from TABLE with tabs between columns, which are {1}, {2} and so on"),
    ForeignOption(
      "-I", "-i", "--replace", instead: "write {} where the input is to stand among the arguments"),
    ForeignOption(
      "-n", "-N", "--max-args", "-L", "-l", "--max-lines", "-X", "-m", "--xargs",
      instead: "each input is a run: for several at once, write them as columns of a line, {1} {2}"),
    ForeignOption(
      "-r", "--no-run-if-empty", instead: "leave it out: without an input nothing is run"),
    ForeignOption(
      "--dry-run", "--dryrun", instead: "put echo before the program: -- echo PROGRAM {}"),
    ForeignOption(
      "--halt", "--halt-on-error",
      instead: "a run goes on to its end, and --fail-fast-on STATUS spares further attempts"),
    ForeignOption(
      "-S", "--sshlogin", "--sshloginfile", "--slf",
      instead: "nodes are found; where they are not, give --peers HOST:PORT"),
    ForeignOption("--wd", "--workdir", instead: "give --directory DIR"),
    ForeignOption("--nice", instead: "put nice before the program: -- nice PROGRAM {}"),
    ForeignOption(
      "--transferfile", "--transfer", "--return", "--cleanup", "--trc", "--basefile",
      instead: "files do not travel: each machine sees the program and its inputs by the same path"),
    ForeignOption(
      "--pipe", "--pipepart",
      instead:
        "cut the input into files, and give these to --inputs; --stdin gives a program its input as a line"
    ),
    ForeignOption(
      "--tag", "--tagstring", "--line-buffer", "--linebuffer", "--lb", "--ungroup", "--group",
      "--files",
      instead:
        "give --results FILE, where each output stands with its input, or --output 'FOLDER/{name}.txt'"
    ),
    ForeignOption("--array", instead: "give --total N, and {} stands for the numbers from 0"),
  ]

  /// - Parameter word: as it stands on a command line: `-j`, `-j4`, `--jobs=4`.
  /// - Returns: `nil` if it is no word of these programs.
  static func instead(of word: String) -> String? {
    let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word
    return all.first { option in option.names.contains { $0 == name || isShort($0, in: word) } }?
      .instead
  }

  /// Whether the word is an option of one letter with its value, as in `-j4`. One with further letters may be another
  /// option with a dash too few.
  private static func isShort(_ name: String, in word: String) -> Bool {
    name.utf8.count == 2 && word.hasPrefix(name) && word.dropFirst(2).first?.isLetter == false
  }
}
