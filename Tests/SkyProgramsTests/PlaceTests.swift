import Foundation
import SkyFiles
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyPrograms

@Suite("Where a system runs a program")
struct PlaceTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try #require(FilePath.real(folder.path)?.text)
    try FileManager.default.createDirectory(
      atPath: path + "/trusted/below", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: path + "/other", withIntermediateDirectories: true)
  }

  private func settings(in folder: String) -> ProgramSettings {
    var settings = ProgramSettings(["x"])
    settings.directory = folder
    return settings
  }

  @Test("Attempts that share a folder wait for each other, unless the run allows two at once")
  func waits() {
    let shared = settings(in: path)
    #expect(ProgramExchange(ProgramSettings(["x"])).retryWaits.scanEnd != nil)
    #expect(ProgramExchange(shared).retryWaits.scanEnd != nil)
    #expect(ProgramExchange(shared, mayRunTwice: true).retryWaits.scanEnd == nil)
    var empty = shared
    empty.directory = nil
    #expect(ProgramExchange(empty).retryWaits.scanEnd == nil)
    #expect(ProgramExchange(empty).retryWaits.afterFailure > .zero)
  }

  @Test("A trusted folder and those below it are opened, and nothing that a link or .. leads to")
  func trusted() throws {
    #expect(symlink(path + "/other", path + "/trusted/link") == 0)
    #expect(symlink(path + "/trusted", path + "/named") == 0)
    let folders = try TrustedFolders([path + "/trusted"])
    #expect(folders.open(path + "/trusted")?.number != nil)
    #expect(folders.open(path + "/trusted/below")?.path == path + "/trusted/below")
    for name in [
      "/other", "/trusted/link", "/trusted/../other", "/trusted/none", "/trusted/", "/named", "",
      "/trustedx",
    ] {
      #expect(folders.open(path + name) == nil, "\(name)")
    }
    // The operator may name a link.
    #expect(try TrustedFolders([path + "/named"]).open(path + "/named/below") != nil)
    #expect(throws: TrustedFolders.MissingFolder.self) { try TrustedFolders([path + "/none"]) }
  }

  @Test(
    "A folder of a member is one that shows the file of the run; of the own account, that very one")
  func shown() throws {
    let (shared, other) = (path + "/trusted/below", path + "/other")
    let folders = try TrustedFolders([path])
    let token = FolderToken(in: try #require(OpenDirectory(shared)))
    let number = try #require(OpenDirectory(shared)?.number)
    var input = ProgramInput(number: 0)
    func place(_ folder: String, _ leave: ProgramLeave) throws -> RunPlace {
      try RunPlace(for: input, settings(in: folder), by: leave, in: folders)
    }
    input.folder = FolderProof(number)
    #expect(try place(shared, .own).folder != nil && place(other, .own).folder == nil)
    #expect(try place(shared, .any).absence?.contains("may make no file") == true)
    let name = try #require(token.name)
    input.folder?.token = name
    #expect(try place(shared, .any).folder?.path == shared)
    #expect(try place(other, .any).absence?.contains("another folder") == true)
    #expect(try place(path + "/none", .any).absence?.contains("no folder") == true)
    for forged in ["../../trusted/below/" + name, "", ".", name + "/"] {
      input.folder?.token = forged
      #expect(try place(shared, .any).folder == nil)
    }
    token.end()
    #expect(try FileManager.default.contentsOfDirectory(atPath: shared) == [])
    #expect(token.name == nil)
  }

  @Test("What a killed run has left is removed, and a living one's is not")
  func left() throws {
    let directory = try #require(OpenDirectory(path + "/other"))
    let (living, next) = (FolderToken(in: directory), FolderToken(in: directory))
    let name = try #require(living.name)
    let dead = ".skynet-" + String(repeating: "0", count: 32)
    for file in [dead, ".skynet-notes", dead + "0"] {
      try Data().write(to: URL(fileURLWithPath: "\(path)/other/\(file)"))
    }
    next.removeLeft()
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/other")
    #expect(Set(names) == [name, ".skynet-notes", dead + "0"])
  }

  @Test("A system without the folder runs what needs nothing of it, and names what it lacks")
  func unsuited() throws {
    var settings = settings(in: path + "/none")
    let place = try RunPlace(for: ProgramInput(number: 0), settings, by: .any, in: .none)
    #expect(place.folder == nil && place.absence?.contains("--programs-in") == true)
    try place.check(ProgramInput(number: 0, text: "a"), settings)
    #expect(throws: SystemUnsuited.self) {
      try place.check(ProgramInput(number: 0, text: "a", files: ["a"]), settings)
    }
    #expect(throws: SystemUnsuited.self) { _ = try RunnableProgram("./x", in: place) }
    settings.files = ["config"]
    let error = #expect(throws: SystemUnsuited.self) {
      try place.check(ProgramInput(number: 0), settings)
    }
    #expect(error?.reason.contains("config") == true)
    #expect(throws: SystemUnsuited.self) {
      try RunPlace(for: ProgramInput(number: 0), settings, by: nil, in: .none)
    }
  }
}
