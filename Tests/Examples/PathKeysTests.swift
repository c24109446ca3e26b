import Foundation
import Testing

/// Swift's `String` takes two names for equal that Unicode calls so, and hides a slash behind a combining mark. So of
/// paths, bytes tell: as keys and in comparisons they are `ExactText`, and names are split off by `SplitPath`.
@Suite("Paths in the sources")
struct PathKeysTests {
  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../Sources").standardized

  /// Each line of code that matches, as `File.swift: line`.
  private func lines(
    _ pattern: String, in rooms: (String) -> Bool = { _ in true }
  ) throws -> [String] {
    let pattern = try Regex(pattern)
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") && rooms($0) }
    try #require(files.count > 50, "the sources were not read")
    return try files.flatMap { file in
      try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
        .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.hasPrefix("//") && $0.contains(pattern) }
        .map { "\(file.split(separator: "/").last ?? ""): \($0)" }
    }
  }

  /// The rooms that know files by their paths, other than those whose texts are names of systems.
  private static let rooms = [
    "SkyFiles", "SkyProcess", "SkyFITS", "SkyCatalog", "SkyPicture", "SkyScan", "SkyPrograms",
    "ImagesWorkload", "ProgramsWorkload",
  ]

  /// What the texts are that such a room has as keys, none of which is a path: variables of the environment, systems,
  /// keywords of a configuration or a header with their values or cards, labels, and reasons that people are told.
  private static let others = [
    "environment", "variables", "others", "systems", "weightKinds", "settings", "last", "numbers",
    "counts", "told", "texts", "named", "faulty", "values", "ownCards",
  ]

  @Test("No path is a key as a String")
  func keys() throws {
    let found = try lines(#"Set<String\??>|\[String\??\s*:|Dictionary<String"#) { file in
      Self.rooms.contains { file.hasPrefix($0 + "/") }
    }
    try #require(found.count > 5, "the sources were not read")
    let names = Self.others.joined(separator: "|")
    let known = try Regex(#"\b(\#(names))\b\W*(=.*)?[:(<\[]"#)
    let unknown = found.filter { !$0.contains(known) }
    #expect(unknown.isEmpty, "a path's key is ExactText; name other keys in this test")
  }

  @Test("No path is compared as a String")
  func comparisons() throws {
    // Literals are ASCII, which has no other composition.
    let found = try lines(#"\.path\)? (==|!=) (?!nil|"|\.)\S"#) { file in
      Self.rooms.contains { file.hasPrefix($0 + "/") }
    }
    try #require(found.count > 3, "the sources were not read")
    // Two of texts that are exact, and one of a path that was just tried.
    let known = [
      "ExactText(", "$0.path == path })", "$0.path == input.path",
      "case EEXIST where error.path == path",
    ]
    let unknown = found.filter { line in !known.contains { line.contains($0) } }
    #expect(unknown.isEmpty, "compare ExactText(path)")
  }

  @Test("No slash of a path is looked for among characters")
  func slashes() throws {
    let found = try lines(
      #"(hasPrefix|hasSuffix|contains|firstIndex\(of:|lastIndex\(of:|separator:) ?\(?"/""#)
    // A scan's kind, and a share of sectors.
    let unknown = found.filter { line in
      !line.contains("joined(separator:")
        && !["ScanKind.swift: ", "SectorChoice.swift: "].contains { line.hasPrefix($0) }
    }
    #expect(unknown.isEmpty, "take isAbsolutePath, hasSlash, pathNames or SplitPath")
  }
}
