import Foundation
import Testing

/// What a program is given, and where it runs: as GNU parallel and xargs have it.
@Suite("The place of programs", .timeLimit(.ample))
struct ProgramPlaceTests {
  private static let hasParallel = FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")

  /// Words that are files, folders, neither, and such as a shell or a parser would take for something else.
  private static let words = #"""
    mkdir -p work/folder work/1.5; cd work
    for name in r 17 -x 'a b' "$(printf 'tab\tname')" "$(printf 'line\nname')" 'q"\$`' '*' '{}' é; do echo "of $name" >"./$name"; done
    printf '%s\0' r 17 1.5 folder folder/ . .. ./r folder/../r -x -- - 'a b' "$(printf 'tab\tname')" \
      "$(printf 'line\nname')" 'q"\$`' '*' '{}' é none '' ' r' "$PWD/r" / '~' >../list
    """#
  private static let look =
    #"'printf "<%s> %s\n" "$1" "$PWD"; cat -- "$1" 2>/dev/null || echo none' sh"#

  @Test(
    "An argument is what was written, and leads to what it leads to here, as with xargs and parallel"
  )
  func words() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a")
      try await stage.shell(Self.words)
      try await stage.shell(
        """
        cd work
        <../list xargs -0 -I@ sh -c \(Self.look) @ | sort >../by-xargs
        '\(Paths.binary)' engage --no-discovery --slots 2 --inputs-from ../list --null -- sh -c \(Self.look) {} | sort >../here
        '\(Paths.binary)' engage --no-discovery --no-local --wait-for 1 --peers 127.0.0.1:\(a.port) --inputs-from ../list --null \
          -- sh -c \(Self.look) {} | sort >../on-node
        """)
      #expect(try stage.read("by-xargs").contains("of line\n"))
      #expect(try stage.read("here") == stage.read("by-xargs"))
      #expect(try stage.read("on-node") == stage.read("by-xargs"))
      guard Self.hasParallel else { return }
      try await stage.shell(
        """
        export PARALLEL_HOME=$PWD/parallel; mkdir -p parallel; touch parallel/will-cite; cd work
        <../list parallel -0 -q sh -c \(Self.look) {} | sort >../by-parallel
        """)
      #expect(try stage.read("by-parallel") == stage.read("by-xargs"))
    }
  }

  @Test("A folder that another one replaces during the run gets no program")
  func replacedFolder() async throws {
    try await ProgramStage.with { stage in
      try await stage.shell("mkdir work")
      let run = try stage.stage.launch(
        Paths.binary,
        [
          "engage", "--no-discovery", "--slots", "1", "--total", "3", "--", "sh", "-c",
          "pwd -P >>../ran; mv ../work ../old; mkdir ../work",
        ], stage.marked.environment, in: stage.file("work"))
      try await run.lines(1) { $0.contains("another folder than that in which the run began") }
      run.send(SIGINT)
      #expect(try await run.end().status == 130)
      #expect(stage.lines(of: "ran").count == 1)
    }
  }

  @Test(
    "A program that nothing here can load is told with the reason",
    arguments: [
      ("#!/bin/sh\r\necho\r\n", "ends in a carriage return"),
      ("#!/no/such -x\n", "there is no /no/such here"),
      ("\u{7f}ELF of another machine\n", "no program that this system can execute"),
    ])
  func unloadable(contents: String, reason: String) async throws {
    try await ProgramStage.with { stage in
      try stage.write(contents, to: "tool")
      try await stage.shell("chmod +x tool")
      let run = try stage.engage([], "--total", "1", "--", "./tool")
      try await run.process.lines(1) { $0.contains(reason) }
      run.process.send(SIGINT)
      #expect(try await run.process.end().status != 0)
    }
  }

  @Test("A word that is the name of a file which the run writes is a word")
  func ownName() async throws {
    try await ProgramStage.with { stage in
      for _ in 0..<2 {
        let outcome = try await stage.engage(
          [], "--inputs", "red", "log", "green", "--summary", "log", "--in-order", "--", "echo",
          "{}"
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.texts == [0: "red\n", 1: "log\n", 2: "green\n"], "\(outcome.errors)")
      }
    }
  }

  @Test(
    "A column is a word, also once a folder or a file of its name is there, and a resume gives the same arguments"
  )
  func rows() async throws {
    try await ProgramStage.with { stage in
      let script = try stage.script(
        "work/fit.sh",
        #"printf '%s|%s\n' "$1" "$2" | tee -a ../told; sleep 0.01; mkdir -p "$1"; touch "$2""#)
      #expect(script.hasSuffix("fit.sh"))
      let rows = (0..<200).map { "r\($0)\t\($0).5" }
      try stage.write(rows.joined(separator: "\n") + "\n", to: "table.tsv")
      let command = [
        "engage", "--no-discovery", "--slots", "2", "--inputs-from", "../table.tsv", "--journal",
        "../run.sqlite", "--attempts", "100", "--", "./fit.sh", "{1}", "{2}",
      ]
      let first = try stage.stage.launch(
        Paths.binary, command, stage.marked.environment, in: stage.file("work"))
      try await first.lines(60) { $0.hasPrefix("completed ") }
      first.send(SIGKILL)
      _ = try await first.end()
      try await stage.marked.gone()
      let story = try await stage.stage.launch(
        Paths.binary, command, stage.marked.environment, in: stage.file("work")
      ).end()
      #expect(story.status == 0, "\(story.errors)")
      #expect(!story.errors.contains { $0.contains("run again") }, "\(story.errors)")
      let pairs = Set(rows.map { $0.replacing("\t", with: "|") })
      #expect(Set(story.output) == pairs)
      #expect(Set(stage.lines(of: "told").map(String.init)) == pairs)
    }
  }

  @Test(
    "A program runs where the run was asked for, here, on a node and in a replay, and its files stay"
  )
  func folder() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a")
      try stage.script("bin/where.sh", #"pwd; echo "$0" >"$SKYNET_SYSTEM.$1"; cat config"#)
      try stage.write("settings", to: "bin/config")
      try FileManager.default.createSymbolicLink(
        atPath: stage.file("link"), withDestinationPath: stage.file("bin"))
      let place = try #require(realpath(stage.file("bin"), nil).map { String(cString: $0) })
      try await stage.shell(
        """
        cd link
        '\(Paths.binary)' engage --no-discovery --slots 1 --total 1 --journal ../run.sqlite -- ./where.sh {} >../here
        '\(Paths.binary)' engage --no-discovery --no-local --wait-for 1 --peers 127.0.0.1:\(a.port) --total 2 -- ./where.sh {} >../there
        cd /; '\(Paths.binary)' engage --no-discovery --slots 1 --total 1 --directory '\(stage.file("link"))' -- ./where.sh {} >'\(stage.file("given"))'
        '\(Paths.binary)' replay '\(stage.file("run.sqlite"))' --sector 0 >'\(stage.file("replayed"))'
        """)
      for name in ["here", "given"] { #expect(try stage.read(name) == "\(place)\nsettings") }
      #expect(try stage.read("there") == "\(place)\nsettings\(place)\nsettings")
      #expect(try stage.read("replayed").contains(place))
      #expect(try stage.read("bin/a.1") == "./where.sh\n")
    }
  }

  @Test(
    "Files that vanish with an empty folder are counted, also with --quiet, and the remedy is named"
  )
  func vanished() async throws {
    try await ProgramStage.with { stage in
      let story = try await stage.engage(
        [], "--quiet", "--directory", "empty", "--total", "5", "--", "sh", "-c",
        "test {} = 0 || touch result-{}.dat; echo {}"
      ).process.end()
      #expect(story.status == 0)
      let said = story.errors.filter { $0.contains("gone") }
      #expect(
        said.count == 1 && said[0].contains("left 4 files, such as result-"), "\(story.errors)")
      #expect(
        said.first?.contains("--directory") == true && said.first?.contains("--output") == true)
      let relative = try await stage.engage(
        [], "--directory", "empty", "--total", "1", "--", "./x.sh"
      ).process.end()
      #expect(relative.status == 2 && relative.errors.contains { $0.contains("absolute path") })
    }
  }

  @Test("No output replaces what the run reads, by whatever name and from whatever folder")
  func replaced() async throws {
    try await ProgramStage.with { stage in
      for name in ["in/a.txt", "in/config", "b.txt"] { try stage.write("kept", to: name) }
      let lines: [(options: String, words: String)] = [
        ("--inputs a.txt --directory in --output 'in/{}'", "cat {}"),
        ("--inputs x --output 'in/conf{}'", "echo --config=in/confx"),
        ("--inputs ig --output 'in/conf{}'", "echo --config=in/config"),
        ("--inputs ig --output 'in/conf{}'", "echo config=in/conf{}"),
        ("--total 1 --output in/config", "echo in/config"),
        ("--inputs $PWD/b.txt --output 'b.txt'", "cat {}"),
      ]
      for (options, words) in lines {
        _ = try? await stage.shell(
          "'\(Paths.binary)' engage --no-discovery --slots 1 \(options) -- \(words) >printed 2>said"
        )
      }
      for name in ["in/a.txt", "in/config", "b.txt"] { #expect(try stage.read(name) == "kept") }
    }
  }

  @Test("Of an output and one below it, one fails with its reason, and the rest of the run goes on")
  func below() async throws {
    try await ProgramStage.with { stage in
      try stage.write("a\na/b\nc/d\nc\ne\n", to: "list")
      let outcome = try await stage.engage(
        [], "--inputs-from", "list", "--output", "out/{}", "--", "echo", "{}"
      ).outcome()
      #expect(outcome.status == 1)
      #expect(
        outcome.reasons.count == 2
          && outcome.reasons.allSatisfy { $0.contains("ending of their own") })
      #expect(
        try stage.read("out/a") == "a\n" && stage.read("out/c/d") == "c/d\n"
          && stage.read("out/e") == "e\n")
    }
  }

  @Test("Outputs may have the longest names that a disk has, and a longer one is told so")
  func longNames() async throws {
    try await ProgramStage.with { stage in
      let names = [String(repeating: "n", count: 255), String(repeating: "é", count: 127)]
      let tooLong = String(repeating: "n", count: 256)
      try stage.write((names + [tooLong]).joined(separator: "\n"), to: "list")
      let outcome = try await stage.engage(
        [], "--inputs-from", "list", "--output", "out/{}", "--", "echo", "{}"
      ).outcome()
      for name in names { #expect(try stage.read("out/\(name)") == "\(name)\n") }
      #expect(outcome.status == 1 && outcome.reasons.count == 1)
      #expect(outcome.reasons.first?.contains("shorter name") == true, "\(outcome.reasons)")
      #expect(outcome.reasons.first?.contains("directory exists") == false)
    }
  }

  @Test("A file that is called as an option is refused by its name, where a shell has named it")
  func optionFile() async throws {
    try await ProgramStage.with { stage in
      for name in ["work/--help", "work/b"] { try stage.write("", to: name) }
      func engage(_ inputs: String...) async throws -> RunningProcess.Story {
        try await stage.stage.launch(
          Paths.binary,
          ["engage", "--no-discovery", "--slots", "1", "--inputs"] + inputs + ["--", "echo", "{}"],
          in: stage.file("work")
        ).end()
      }
      let refused = try await engage("--help", "b")
      #expect(
        refused.status == 64
          && refused.errors.contains { $0.contains("--help is an option and the name") })
      #expect(try await engage("./--help", "./b").output.sorted() == ["./--help", "./b"])
    }
  }
}
