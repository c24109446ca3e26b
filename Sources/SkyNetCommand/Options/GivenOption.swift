/// An option or a flag as it stands on a command line, whichever command it is for.
///
/// Each word that begins with two dashes counts as an option. Some options also accept such a word as their value, as
/// in `--host --name`, but no sensible value is one; a value after "=" may be anything.
package struct GivenOption {
  /// With its dashes, and without the value.
  package let name: String
  /// What follows the name; a flag has the next word too. Empty if that is an option.
  let value: String

  /// The options that have a short name.
  static let longNames = ["-o": "--output", "-q": "--quiet"]

  /// In the command line's order. What stands after `--` is no option.
  package static func all(in arguments: [String]) -> [GivenOption] {
    let words = Array(arguments.prefix { $0 != "--" })
    return words.indices.compactMap { index in
      let parts = words[index].split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false
      ).map(String.init)
      let name = parts.first.map { longNames[$0] ?? $0 } ?? ""
      guard name.hasPrefix("--") else { return nil }
      let next = words.indices.contains(index + 1) ? words[index + 1] : ""
      return GivenOption(
        name: name, value: parts.count > 1 ? parts[1] : next.hasPrefix("--") ? "" : next)
    }
  }
}
