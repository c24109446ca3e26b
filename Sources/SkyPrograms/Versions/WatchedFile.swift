package import SkyFiles

/// A file by which a run's results may differ: the program, or one that the words name.
package struct WatchedFile: Codable, Hashable, Sendable {
  /// The most files that a run watches: they come with each input.
  package static let most = 16

  /// As the words have it.
  package let name: String
  /// Which version a system has; `nil` if it has none.
  package let version: FileEdition?

  package init(_ name: String, _ version: FileEdition?) {
    (self.name, self.version) = (name, version)
  }
}

/// The watched files that are other versions on a system than on the engaging one.
package struct OtherVersions: Codable, Hashable, Sendable {
  /// The system, as its process knows it.
  package var system: String
  package var files: [WatchedFile]
}

extension ProgramSettings {
  /// The watched files that are other versions here than on the engaging system. To look takes a call of the system for
  /// each, unless they have changed.
  ///
  /// - Parameter leave: what the engagement may run; `nil` for one of this process.
  func otherVersions(
    of program: RunnableProgram, in place: RunPlace, by leave: ProgramLeave?, on system: String?
  ) -> OtherVersions? {
    guard let watched else { return nil }
    let others = watched.prefix(WatchedFile.most).compactMap { file -> WatchedFile? in
      guard let path = path(of: file, program, in: place, by: leave), let own = FileEdition(path)
      else { return nil }
      if let version = file.version,
        own.hasContents(of: version) || isLog(file.name, own, version)
      {
        return nil
      }
      return WatchedFile(file.name, own)
    }
    return others.isEmpty ? nil : OtherVersions(system: system ?? "", files: others)
  }

  /// Whether a watched file, which is not the program, was only appended to.
  package func isLog(_ name: String, _ now: FileEdition, _ past: FileEdition) -> Bool {
    ExactText(name) != ExactText(words[0]) && now.hasGrown(from: past)
  }

  /// Where a watched file is here; `nil` if it is not to be looked at.
  private func path(
    of file: WatchedFile, _ program: RunnableProgram, in place: RunPlace, by leave: ProgramLeave?
  ) -> String? {
    if ExactText(file.name) == ExactText(words[0]) { return program.file }
    // What a stranger names is looked at only if it may run anything.
    if case .files = leave { return nil }
    return place.path(of: file.name)
  }
}
