import Foundation
import SkyFiles
import SkyTestSupport
import Testing

@testable import SkyPrograms

/// A temporary folder is below a sticky one, which is no exposed place.
@Suite("Where other accounts choose what a program is")
struct ExposedPlaceTests {
  private let folder: TemporaryFolder
  private let root: String
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    root = try #require(AllowedProgram.resolved(folder.path)).text
    for name in ["bin", "links"] {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(name)", withIntermediateDirectories: false)
      try #require(chmod("\(root)/\(name)", 0o755) == 0)
    }
    try #require(chmod(root, 0o755) == 0)
    _ = try folder.write("bin/scan", [])
    program = "\(root)/bin/scan"
    try #require(chmod(program, 0o755) == 0)
  }

  private func exposed(_ path: String) -> String? {
    ExposedPlace.first(onTheWayTo: path)?.path
  }

  @Test("What this account and root alone can write is none")
  func none() {
    #expect(exposed(program) == nil)
    #expect(exposed("\(root)/links/.././bin//scan") == nil)
    #expect(exposed("/bin/sh") == nil)
    #expect(exposed("\(root)/none/scan") == nil)
  }

  @Test("A file or folder that a group or everybody may write is one", arguments: [0o775, 0o757])
  func modes(mode: mode_t) {
    #expect(chmod(program, mode) == 0)
    #expect(exposed(program) == program)
    #expect(chmod("\(root)/bin", mode) == 0)
    #expect(exposed(program) == "\(root)/bin")
    #expect(chmod("\(root)/bin", 0o1000 | mode) == 0)
    #expect(exposed(program) == program, "a sticky folder is none")
  }

  @Test("So is a place that a link leads through")
  func links() throws {
    for (link, target) in [("first", "../links/second"), ("second", "\(root)/bin")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(root)/links/\(link)", withDestinationPath: target)
    }
    let path = "\(root)/links/first/scan"
    #expect(exposed(path) == nil)
    #expect(chmod("\(root)/bin", 0o777) == 0)
    #expect(exposed(path) == "\(root)/bin")
    #expect(chmod("\(root)/links", 0o777) == 0)
    #expect(exposed(path) == "\(root)/links")
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/loop", withDestinationPath: "loop")
    #expect(exposed("\(root)/loop") == nil)
  }

  @Test(
    "So is another account's, whatever its mode is", .enabled(if: geteuid() == 0, "needs root"))
  func owners() throws {
    #expect(lchown(program, 65534, 65534) == 0)
    #expect(ExposedPlace.first(onTheWayTo: program)?.owner == 65534)
    #expect(lchown(root, 65534, 65534) == 0)
    #expect(exposed(program) == root)
  }
}
