import Foundation
import Logging
import SkyFiles
import SkyNetCommand
import SkyNetJournal
import SkyPrograms

/// The files that a run's words name: the program, and arguments such as an interpreter's script.
struct WordFiles: Sendable {
  let paths: [String]

  init(_ settings: ProgramSettings) {
    let arguments = settings.words.dropFirst().filter { !ProgramTemplate([$0]).hasPlaceholders }
      .map { $0.isAbsolutePath ? $0 : (settings.directory ?? "") + "/" + $0 }
    let program = ProgramSearch.path(of: settings.words[0])
    paths = ([program].compactMap(\.self) + arguments).filter { Self.modified($0) != nil }
  }

  /// Says which of the files are younger than a journal that is continued: its results are of the older ones.
  func tellOfChanges(since journal: SQLiteJournal?, on console: Console) {
    guard let progress = journal?.progress, progress.isResumed, let begun = progress.begun else {
      return
    }
    // The journal has whole seconds.
    for path in paths where Self.modified(path).map({ $0 > begun + 1 }) == true {
      console.line(
        "\(path) was changed after the journal was begun: what the journal holds as done is not done again; another "
          + "journal does all with the new one", level: .warning)
    }
  }

  /// When a file was modified last; `nil` if there is no such file.
  private static func modified(_ path: String) -> Date? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Date(timeIntervalSince1970: Double(FileState(status).modified) / 1e9)
  }
}
