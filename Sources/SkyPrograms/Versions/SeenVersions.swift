import SkyFiles

/// The versions of the watched files that a run's outputs were made with. That there are several is told once.
struct SeenVersions {
  /// What is told of versions that differ.
  enum Difference: Hashable {
    /// Results may be of either.
    case versions(String)
    /// Executables for two kinds of machines, which cannot be the same file.
    case platforms(String)
  }

  private struct Seen {
    let version: FileEdition
    /// The system that has it; `nil` for the one that engages.
    let system: String?

    var text: String { (system.map { "\($0) has " } ?? "here it is ") + version.text }
  }

  private let watched: [WatchedFile]
  /// For each watched file the first version of each platform.
  private var seen: [ExactText: [Seen]] = [:]
  private var hasOwn = false
  private var toldOfVersions = false
  private var toldOfPlatforms = false

  init(_ watched: [WatchedFile]?) { self.watched = watched ?? [] }

  /// A program was run.
  ///
  /// - Parameter others: what differed there from what the engaging system has.
  /// - Returns: what is to be told.
  mutating func add(_ others: OtherVersions?) -> [Difference] {
    guard !watched.isEmpty, !toldOfVersions, others != nil || !hasOwn else { return [] }
    if others == nil { hasOwn = true }
    return watched.compactMap { file in
      let other = others?.files.first { ExactText($0.name) == ExactText(file.name) }?.version
      guard let version = other ?? file.version else { return nil }
      return add(
        Seen(version: version, system: other.flatMap { _ in others?.system }), as: file.name)
    }
  }

  private mutating func add(_ new: Seen, as name: String) -> Difference? {
    let key = ExactText(name)
    let known = seen[key] ?? []
    if let same = known.first(where: { $0.version.platform == new.version.platform }) {
      return same.version.hasContents(of: new.version) ? nil : versions(name, new, same)
    }
    seen[key] = known + [new]
    guard let first = known.first else { return nil }
    guard let (one, other) = platforms(first, new) else { return versions(name, new, first) }
    guard !toldOfPlatforms else { return nil }
    toldOfPlatforms = true
    return .platforms(
      "\(name) runs on machines of two kinds, \(one) and \(other), with a program of each: the last digits of results "
        + "may differ")
  }

  private func platforms(_ first: Seen, _ second: Seen) -> (String, String)? {
    guard let one = first.version.platform, let other = second.version.platform else { return nil }
    return (one, other)
  }

  private mutating func versions(_ name: String, _ new: Seen, _ first: Seen) -> Difference? {
    guard !toldOfVersions else { return nil }
    toldOfVersions = true
    let contents =
      new.version.text == first.version.text ? ", with other contents" : ""
    return .versions(
      "\(name) has two versions in this run: \(first.text); \(new.text)\(contents). Results may be of either: give all "
        + "systems one version, and take another journal to do all with it")
  }
}
