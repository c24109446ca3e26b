import Foundation
import SkyTestSupport
import Testing

@testable import SkyFiles

@Suite("Where programs are looked for")
struct ProgramSearchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try #require(chmod(try folder.write("scan", []), 0o755) == 0)
    _ = try folder.write("no-program", [])
  }

  @Test("A name means the first program of absolute folders")
  func absolute() {
    #expect(ProgramSearch.path(of: "sh", in: "/none:/usr/bin:/bin") == "/usr/bin/sh")
    #expect(ProgramSearch.path(of: "scan", in: folder.path) == folder.file("scan"))
    for name in ["no-program", "none", ""] {
      #expect(ProgramSearch.path(of: name, in: folder.path) == nil)
    }
    #expect(ProgramSearch.path(of: folder.file("scan"), in: nil) == folder.file("scan"))
  }

  @Test("An empty or relative entry is passed over, wherever it leads")
  func relative() {
    // Whatever the current folder is, so many parents lead to the root.
    let parents = String(repeating: "../", count: 40) + folder.path.dropFirst()
    #expect(FileManager.default.isExecutableFile(atPath: parents + "/scan"))
    for folders in [parents, "./\(parents)", ":\(parents):", "", ":", "."] {
      #expect(ProgramSearch.path(of: "scan", in: folders) == nil)
    }
  }
}
