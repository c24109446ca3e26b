/// A command line that asks for the help of `skynet engage`, whose options depend on the workload.
struct HelpRequest {
  /// Whether options are shown that are of use for measurements alone.
  let showsHidden: Bool
  /// Whether only the options that matter most are asked for.
  let isBrief: Bool

  private static let briefWord = "-h"
  private static let wholeWords = ["-help", "--help"]
  private static let words = [briefWord] + wholeWords
  private static let hiddenWords = ["-help-hidden", "--help-hidden"]

  /// `nil` if the command line asks for no help of this command.
  init?(_ arguments: [String], of command: String = "engage") {
    let words = arguments.prefix { $0 != "--" }
    showsHidden = words.contains(where: Self.hiddenWords.contains)
    isBrief =
      words.first == command && !showsHidden && words.contains(Self.briefWord)
      && !words.contains(where: Self.wholeWords.contains)
    let isAsked =
      words.first == command && (showsHidden || words.contains(where: Self.words.contains))
    guard isAsked || words.starts(with: ["help", command]) else { return nil }
  }
}

/// A command line that asks for a description of all commands: completions for a shell, or what the manual is made of.
enum DescriptionRequest {
  private static let words = ["--generate-completion-script", "--experimental-dump-help"]

  static func isMade(by arguments: [String]) -> Bool {
    arguments.first == CompletionsCommand.name
      || GivenOption.all(in: arguments).contains { words.contains($0.name) }
  }
}
