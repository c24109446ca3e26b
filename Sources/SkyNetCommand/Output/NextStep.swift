import Foundation

/// What a person may do after a run: one line, below its last words.
enum NextStep: Hashable {
  /// The run has a journal, of which a report can be made.
  case report(journal: String)
  /// The run has no journal.
  case journal(hasPage: Bool)

  /// The tip's name among those that were given.
  var name: String {
    switch self {
    case .report: "report"
    case .journal: "journal"
    }
  }

  /// The line in full, or in short where the window is narrow. A command is never cut.
  func text(columns: Int) -> String {
    let (command, purpose) =
      switch self {
      case .report(let journal):
        (
          "\(Program.name) report \(ShellWord.quoted(journal)) -o \(ShellWord.quoted(Self.page(of: journal)))",
          " makes a page of this run"
        )
      case .journal(hasPage: false):
        ("--journal FILE", " lets a killed run go on; --web shows it in a browser")
      case .journal(hasPage: true): ("--journal FILE", " lets a killed run go on")
      }
    let text = "next: " + command
    return text.columns + purpose.columns <= columns ? text + purpose : text
  }

  private static func page(of journal: String) -> String {
    (journal as NSString).deletingPathExtension + ".html"
  }
}
