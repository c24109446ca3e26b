import SkyTestSupport
import Testing

@testable import SkyFiles
@testable import SkyPrograms

@Suite("Versions of a program in one run")
struct SeenVersionsTests {
  private let folder: TemporaryFolder
  private let own: FileEdition
  private let other: FileEdition

  init() throws {
    folder = try TemporaryFolder()
    own = try #require(FileEdition(try folder.write("own", Array("#!/bin/sh\n".utf8))))
    other = try #require(FileEdition(try folder.write("other", Array("#!/bin/bash\n".utf8))))
  }

  private func answer(_ version: FileEdition, of name: String = "tool", on system: String)
    -> OtherVersions
  {
    OtherVersions(system: system, files: [WatchedFile(name, version)])
  }

  @Test("Two versions are told once, with both places")
  func two() {
    var seen = SeenVersions([WatchedFile("tool", own)])
    #expect(seen.add(nil).isEmpty)
    guard case .versions(let text)? = seen.add(answer(other, on: "b")).first else {
      Issue.record("nothing is told")
      return
    }
    #expect(text.contains(own.text) && text.contains("b has \(other.text)"), "\(text)")
    #expect(seen.add(answer(other, on: "c")).isEmpty && seen.add(nil).isEmpty)
  }

  @Test("One version on all systems that run is none too many, though it is not the one here")
  func elsewhere() {
    var seen = SeenVersions([WatchedFile("tool", own)])
    #expect(seen.add(answer(other, on: "b")).isEmpty && seen.add(answer(other, on: "c")).isEmpty)
    #expect(seen.add(nil).count == 1)
    // Where it is not here at all, systems are compared with each other.
    seen = SeenVersions([WatchedFile("tool", nil)])
    #expect(seen.add(answer(other, on: "b")).isEmpty)
    #expect(seen.add(answer(own, on: "c")).count == 1)
  }

  @Test(
    "Executables for two kinds of machines are told mildly, once, and versions of one kind beside")
  func platforms() throws {
    func program(_ digest: UInt64, _ platform: String) -> FileEdition {
      FileEdition(path: "/usr/bin/tool", state: own.state, digest: digest, platform: platform)
    }
    var seen = SeenVersions([WatchedFile("tool", program(1, "x86_64 debian 12"))])
    #expect(seen.add(nil).isEmpty)
    guard
      case .platforms(let text)? = seen.add(answer(program(2, "aarch64 debian 12"), on: "b")).first
    else {
      Issue.record("nothing is told")
      return
    }
    #expect(text.contains("x86_64 debian 12") && text.contains("aarch64 debian 12"), "\(text)")
    #expect(seen.add(answer(program(2, "aarch64 debian 12"), on: "c")).isEmpty)
    #expect(seen.add(answer(program(4, "x86_64 debian 13"), on: "d")).isEmpty)
    guard case .versions? = seen.add(answer(program(3, "aarch64 debian 12"), on: "e")).first else {
      Issue.record("nothing is told of two versions for one kind")
      return
    }
  }

  @Test("What nobody watches is not told, whatever a system answers")
  func unwatched() {
    var seen = SeenVersions(nil)
    #expect(seen.add(answer(own, on: "b")).isEmpty && seen.add(answer(other, on: "c")).isEmpty)
    seen = SeenVersions([WatchedFile("tool", own)])
    #expect(seen.add(answer(other, of: "another", on: "b")).isEmpty)
  }
}
