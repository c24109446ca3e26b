import ArgumentParser

/// The options that a user gives for `sbatch`.
enum SbatchOptions {
  /// Those that the script depends on, by their names and letters, with what to do instead.
  private static let refused: [(names: [String], instead: String)] = [
    (["--time", "-t"], "give --time before the --, as a node has to know its time"),
    (["--signal"], "give --drain before the --"),
    (["--array", "-a"], "--count and --max say how many jobs there are"),
    (["--job-name", "-J"], "give --name before the --"),
    (["--chdir", "-D"], "the jobs run in the directory of --rendezvous"),
    (["--wrap"], "the script is this command's"),
    (["--parsable", "--test-only"], "--dry-run shows what would be submitted"),
  ]

  /// - Throws: `ValidationError` that names an option which the jobs would not bear.
  static func check(_ options: [String]) throws {
    for option in options {
      let name = option.prefix { $0 != "=" }
      for (names, instead) in refused where names.contains(String(name)) {
        throw ValidationError("\(name) after -- is not for sbatch here: \(instead)")
      }
    }
  }
}
