import Foundation
import SkyTestSupport
import Testing

@testable import SkyFiles

/// Swift takes texts for equal that compose their characters differently, and a slash that a combining mark follows for
/// another character.
@Suite("Paths are told apart by their bytes")
struct PathBytesTests {
  private static let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")

  @Test("Names that Unicode calls equal are two files, two places and two folders")
  func equalNames() throws {
    try #require(Self.composed == Self.decomposed)
    let folder = try TemporaryFolder()
    let places = [Self.composed, Self.decomposed].map { folder.file($0) }
    #expect(FileIdentity(places[0]) != FileIdentity(places[1]))
    for place in places {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }
    #expect(FileIdentity(places[0] + "/a") != FileIdentity(places[1] + "/a"))
    let paths = try places.map { try #require(FilePath($0 + "/a")) }
    let folders = try places.map { try #require(FilePath($0)) }
    #expect(paths[0] != paths[1] && Set(paths).count == 2)
    #expect(paths[0].isBelow(folders[0]) && !paths[0].isBelow(folders[1]))
    #expect(ExactText(Self.composed) != ExactText(Self.decomposed))
    #expect(ExactText(Self.decomposed) < ExactText(Self.composed))
  }

  @Test(
    "A name that begins with a combining mark, or follows one that joins, is a name of its own",
    arguments: ["\u{301}k", "\u{301}", "k\u{600}", "\u{fe0f}\u{20e3}"])
  func marks(name: String) throws {
    #expect(SplitPath.split("a/\(name)/b").folder.map { ExactText($0) } == ExactText("a/\(name)"))
    #expect(SplitPath.split("/\(name)").folder == "/")
    #expect(ExactText(SplitPath.split("/\(name)").name) == ExactText(name))
    #expect("/\(name)/b".isAbsolutePath && "a/\(name)".hasSlash)
    #expect("/\(name)//b".pathNames().map { ExactText($0) } == [ExactText(name), "b"])
    #expect(ExactText(WrittenFile.absolute("/\(name)/b")) == ExactText("/\(name)/b"))
    let path = try #require(FilePath("/\(name)/b"))
    #expect(ExactText(path.text) == ExactText("/\(name)/b"))
    #expect(path.isBelow(try #require(FilePath("/\(name)"))))

    let folder = try TemporaryFolder()
    let place = folder.file(name)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let file = try OutputFile(path: place + "/out.csv")
    try file.write(Data("new".utf8))
    try OutputFile.syncFolders(of: [file])
    try Data().write(to: URL(fileURLWithPath: place + "/out.csv.0123ABCD.partial"))
    _ = try OutputFile(path: place + "/out.csv")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["out.csv"])
    try OutputFolderError.make(place + "/\(name)/deeper")
    #expect(FileIdentity.isFolder(place + "/\(name)/deeper"))
  }
}
