import Foundation
import SkyTestSupport
import Testing

@testable import SkyProcess

/// What another account puts in the place of folders while a keeper makes or removes them.
@Suite("Open folders")
struct OpenFolderTests {
  let folder: TemporaryFolder
  /// What no keeper may touch.
  private let precious: String

  init() throws {
    folder = try TemporaryFolder()
    precious = folder.file("precious")
    try makeFile("precious/1/1/file")
    try makeFile("all/1/1/file")
  }

  private func makeFile(_ name: String) throws {
    let url = URL(fileURLWithPath: folder.file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("a".utf8).write(to: url)
  }

  private func paths(_ name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.file(name)).sorted()
  }

  private func mode(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(folder.file(name), &status) == 0)
    return status.st_mode & 0o7777
  }

  private func replace(_ name: String) throws {
    try #require(rename(folder.file(name), folder.file("moved")) == 0)
    try #require(symlink(precious, folder.file(name)) == 0)
  }

  @Test("A link that replaces a folder once that is open leads no removal elsewhere")
  func removal() throws {
    guard let above = OpenFolder(path: folder.path), let all = above.own("all") else {
      Issue.record("\(errno)")
      return
    }
    try replace("all")
    all.empty("1")
    all.removeFolder("1")
    #expect(above.removeFolder("all") == ENOTDIR)
    #expect(try paths("moved") == [] && paths("precious") == ["1", "1/1", "1/1/file"])
  }

  @Test("A link that replaces a folder once that is open leads no making elsewhere")
  func making() throws {
    guard let above = OpenFolder(path: folder.path), let all = above.own("all") else {
      Issue.record("\(errno)")
      return
    }
    try replace("all")
    #expect(all.provide("2")?.makeFolder("1") == 0)
    #expect(try paths("moved") == ["1", "1/1", "1/1/file", "2", "2/1"])
    #expect(try paths("precious") == ["1", "1/1", "1/1/file"])
  }

  @Test("A link in the place of any folder is removed, and not what it leads to")
  func links() throws {
    try #require(chmod(precious + "/1/1", 0o500) == 0)
    for name in ["all", "all/1", "all/1/1", "all/1/1/1"] {
      try? FileManager.default.removeItem(atPath: folder.file("all"))
      try makeFile(name + "/file")
      try FileManager.default.removeItem(atPath: folder.file(name))
      try #require(symlink(precious, folder.file(name)) == 0)
      let keeper = ProgramFolder(in: folder.file("all"), slot: 1)
      keeper.clear()
      keeper.remove()
      #expect(try folder.contents() == ["precious"], "\(name)")
      try #require(symlink(precious, folder.file("all")) == 0)
      ProgramFolder.removeAll(folder.file("all"))
      #expect(try folder.contents() == ["precious"], "\(name)")
    }
    #expect(try paths("precious") == ["1", "1/1", "1/1/file"] && mode("precious/1/1") == 0o500)
    try #require(chmod(precious + "/1/1", 0o700) == 0)
  }

  @Test(
    "A folder that a program has opened to others, or closed to itself, is this account's alone again"
  )
  func modes() throws {
    for mode: mode_t in [0o777, 0o1777, 0o2755, 0o000, 0o400] {
      try #require(chmod(folder.file("all"), mode) == 0)
      let isThere = OpenFolder(path: folder.path)?.own("all") != nil
      #expect(try isThere && self.mode("all") == 0o700)
    }
    try #require(link(folder.file("all/1/1/file"), folder.file("file")) == 0)
    for name in ["file", "none"] {
      let isThere = OpenFolder(path: folder.path)?.own(name) != nil
      #expect(!isThere && errno == (name == "file" ? EEXIST : ENOENT))
    }
  }

  @Test("Folders above that are gone are made again, with or without a slash at the end")
  func above() throws {
    for path in ["new/a/b", "new/c/", "new/d//"] {
      let isThere = OpenFolder(path: folder.file(path)) != nil
      #expect(try isThere && mode(path) == 0o700)
    }
    #expect(try paths("new") == ["a", "a/b", "c", "d"])
  }
}
