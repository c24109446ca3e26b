import Foundation
import Logging
import SkyFiles
import SkyNetCommand
import SkyNetJournal
import SkyPrograms

/// The files that a run's words name: the program, and arguments such as an interpreter's script.
struct WordFiles: Sendable {
  let paths: [String]
  /// Those with relative names, as the words have them: they are found in the run's folder alone.
  let relative: [String]
  /// The program and the first of the files, as they are now.
  let watched: [WatchedFile]

  private let settings: ProgramSettings

  init(_ settings: ProgramSettings) {
    self.settings = settings
    let words = settings.words.filter { !ProgramTemplate([$0]).hasPlaceholders }
    // It is no word that differs from input to input.
    let program =
      ProgramTemplate(Array(settings.words.prefix(1))).hasPlaceholders ? nil : words.first
    let isFound = program?.hasSlash == false
    let names = words.dropFirst(isFound ? 1 : 0).flatMap { settings.files(namedBy: $0) }
    let found = program.flatMap { isFound ? ProgramSearch.path(of: $0) : settings.path(of: $0) }
    let files = names.compactMap { name in settings.path(of: name).map { (name, $0) } }
    paths = [found].compactMap(\.self) + files.map(\.1)
    relative = names.filter { !$0.isAbsolutePath }
    var known: Set<ExactText> = []
    // Also a program that is not here: other systems may have several versions.
    let watched = program.map { [($0, found ?? "")] } ?? []
    self.watched = (watched + files).filter { known.insert(ExactText($0.0)).inserted }
      .prefix(WatchedFile.most).map { WatchedFile($0.0, FileEdition($0.1)) }
  }

  /// Says which of the files are other versions than an earlier process of the run had: its results are of those.
  ///
  /// - Parameter setups: those of the earlier processes, the latest first.
  func tellOfChanges(since setups: [RunSetup], on console: Console) {
    let past = setups.compactMap { setup in
      try? JSONDecoder().decode(ProgramSettings.self, from: Data(setup.settings.utf8)).watched
    }.joined()
    for file in watched {
      guard let now = file.version else { continue }
      let versions = past.lazy.filter { ExactText($0.name) == ExactText(file.name) }
        .compactMap(\.version)
      guard
        let other = versions.first(where: {
          !now.isUnchanged(since: $0) && !settings.isLog(file.name, now, $0)
        })
      else { continue }
      let contents = now.text == other.text ? ", and may have other contents" : ""
      console.line(
        "\(file.name) was changed after the journal was begun: it was \(other.text); it is \(now.text)\(contents). What "
          + "the journal holds as done is not done again; another journal does all with the new one",
        level: .warning)
    }
  }
}
