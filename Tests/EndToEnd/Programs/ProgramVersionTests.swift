import Foundation
import Testing

/// A program that is changed, or another one on another system, is told: its results may be of either.
@Suite("Versions of programs", .timeLimit(.ample))
struct ProgramVersionTests {
  /// Two tools of one name, size and time, in two folders.
  private static let tools = #"""
    mkdir -p one two
    for i in one two; do printf '#!/bin/sh\necho %s\n' $i >$i/tool; chmod +x $i/tool; touch -d 2001-09-09 $i/tool; done
    """#

  private func path(_ stage: ProgramStage, _ folder: String) -> [String: String] {
    ["PATH": stage.file(folder) + ":/usr/bin:/bin"]
  }

  @Test(
    "Another version of the program or its script, by whatever way, is told when a journal goes on")
  func journal() async throws {
    try await ProgramStage.with { stage in
      try await stage.shell(Self.tools + "\necho 'echo script' >script; touch -d 2001-09-09 script")
      func told(_ folder: String, _ journal: String, _ words: String...) async throws -> [String] {
        let story = try await stage.stage.launch(
          Paths.binary,
          [
            "engage", "--no-discovery", "--quiet", "--slots", "1", "--total", "2", "--journal",
            journal, "--",
          ]
            + words,
          stage.marked.environment.merging(path(stage, folder)) { $1 }, in: stage.file("")
        ).end()
        #expect(story.status == 0, "\(story.errors)")
        return story.errors.filter { $0.contains("was changed after the journal was begun") }
      }
      #expect(try await told("one", "a.sqlite", "tool").isEmpty)
      #expect(try await told("one", "a.sqlite", "tool").isEmpty)
      // Another one in PATH.
      let other = try await told("two", "a.sqlite", "tool")
      #expect(other.count == 1 && other[0].contains(stage.file("one/tool")), "\(other)")
      #expect(other.first?.contains(stage.file("two/tool")) == true, "\(other)")
      #expect(
        try await told("one", "a.sqlite", "tool").count == 1, "its second process had the other")
      // A script is copied over with its time, at once.
      #expect(try await told("one", "b.sqlite", "sh", "script").isEmpty)
      try await stage.shell("echo 'echo SCRIPT' >new; touch -r script new; cp -p new script")
      let copied = try await told("one", "b.sqlite", "sh", "script")
      #expect(copied.count == 1 && copied[0].contains("script"), "\(copied)")
      // What is touched alone is the same.
      #expect(try await told("one", "c.sqlite", "sh", "script").isEmpty)
      try await stage.shell("touch script; chmod 700 script")
      #expect(try await told("one", "c.sqlite", "sh", "script").isEmpty)
    }
  }

  @Test(
    "Nodes with two versions are one line with both places, also with --quiet; with one version there is none"
  )
  func nodes() async throws {
    try await ProgramStage.with { stage in
      try await stage.shell(Self.tools)
      let nodes = [
        try await stage.node("a", "--slots", "1", environment: path(stage, "one")),
        try await stage.node("b", "--slots", "1", environment: path(stage, "two")),
      ]
      func told(_ nodes: [RunningNode]) async throws -> [String] {
        let outcome = try await stage.engage(
          nodes, "--quiet", "--total", "40", "--", "tool", environment: path(stage, "one")
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.errors.filter { $0.contains("two versions") }
      }
      #expect(try await told([nodes[0]]).isEmpty)
      // Nothing runs here, so that here there is another one does not matter.
      #expect(try await told([nodes[1]]).isEmpty)
      let both = try await told(nodes)
      #expect(both.count == 1 && both[0].contains("b has \(stage.file("two/tool"))"), "\(both)")
      #expect(both.first?.contains(stage.file("one/tool")) == true, "\(both)")
    }
  }

  @Test("A program that is changed while it is run is told", arguments: [true, false])
  func changedMeanwhile(onNode: Bool) async throws {
    try await ProgramStage.with { stage in
      try stage.script(
        "tool.sh",
        #"""
        test "$1" != 1 || { sed s/before/after/ tool.sh >new; chmod +x new; mv new tool.sh; }
        echo "$1" >>"$2"
        echo before
        """#)
      try stage.write("begun\n", to: "log")
      let words = ["--quiet", "--total", "4", "--", "./tool.sh", "{}", "log"]
      let nodes = onNode ? [try await stage.node("a", "--slots", "1")] : []
      let places = onNode ? ["--no-local", "--wait-for", "1"] : ["--slots", "1"]
      let outcome = try await stage.stage.engage(
        peers: nodes.map(\.port), places + words, stage.marked.environment, in: stage.file("")
      ).outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(Set(outcome.texts.values) == ["before\n", "after\n"])
      let told = outcome.errors.filter { $0.contains("two versions") }
      #expect(told.count == 1 && told[0].contains("tool.sh"), "\(outcome.errors)")
    }
  }
}
