import Foundation
import SkyNetKeys
import TestSupport
import Testing

/// `skynet invite` and `skynet join`.
@Suite("Invitations", .timeLimit(.ample))
struct InvitationTests {
  /// An account with an empty home.
  private struct Account {
    let stage: Stage
    let name: String

    var environment: [String: String] { ["XDG_CONFIG_HOME": stage.file(name)] }
    var file: KeyFile { KeyFile(path: stage.file(name) + "/skynet/cluster.key") }

    func skynet(_ arguments: String...) throws -> RunningProcess {
      try stage.launch(Paths.binary, arguments, environment)
    }

    /// Runs a line that `skynet invite` has printed.
    func run(_ line: String) async throws -> RunningProcess.Story {
      try await stage.launch(
        Paths.binary, line.split(separator: " ").dropFirst().map(String.init), environment
      ).end()
    }
  }

  /// Starts an invitation, and returns the line that it prints.
  private func invite(
    _ account: Account, _ options: String...
  ) async throws -> (process: RunningProcess, line: String) {
    let process = try account.stage.launch(
      Paths.binary, ["invite", "--host", "127.0.0.1"] + options, account.environment)
    let line = try await process.output(where: { !$0.isEmpty })[0]
    #expect(line.wholeMatch(of: /skynet join 127\.0\.0\.1:\d+ [0-9a-z]{26}/) != nil, "\(line)")
    return (process, line)
  }

  @Test(
    "Nodes of two empty homes become one cluster while they run",
    .enabled(if: PrivateAvahi.isThere, PrivateAvahi.missing))
  func twoHomes() async throws {
    try await Stage.with { stage in
      let (a, b) = (Account(stage: stage, name: "a"), Account(stage: stage, name: "b"))
      var nodes: [RunningNode] = []
      for account in [a, b] {
        let name = "\(account.name)-\(UUID().uuidString.prefix(8))"
        nodes.append(
          try await RunningNode(account.skynet("node", "--name", name, "--slots", "2")))
      }
      try await nodes[0].process.line(" of another cluster: \(nodes[1].name) (key ")
      let own = try b.file.read()

      let (invitation, line) = try await invite(a)
      let joined = try await b.run(line)
      #expect(joined.status == 0 && joined.output.isEmpty, "\(joined)")
      let key = try a.file.read()
      #expect(joined.errors[0].hasSuffix("holds the key \(key.fingerprint) now"))
      #expect(joined.errors[1].contains("\(own.fingerprint), is in \(b.file.path).old"))
      #expect(joined.errors.last?.hasSuffix("skynet node") == true)
      #expect(try b.file.read() == key && KeyFile(path: b.file.path + ".old").read() == own)
      let invited = try await invitation.end()
      #expect(invited.status == 0 && invited.output == [line], "\(invited)")
      #expect(invited.errors.last == "127.0.0.1 has the key now")

      // The node changes over by itself, so that an engagement of either account finds both.
      try await nodes[1].process.line("this node holds the key \(key.fingerprint) now")
      for account in [a, b] {
        let run = try account.skynet(
          "engage", "--no-local", "--wait-for", "2", "--total", "40", "--scan-seconds", "0.05")
        let story = try await run.end()
        #expect(story.status == 0, "\(story)")
        let shares = try Summary(try #require(story.errors.last)).shares
        #expect(Set(shares.keys) == Set(nodes.map(\.name)))
      }
      for said in joined.errors + invited.errors + nodes.flatMap(\.process.soFar.errors) {
        #expect(!said.contains("skynet-key-") && !said.contains(line.suffix(26)))
      }
    }
  }

  @Test("Three wrong codes close an invitation, and a used one is refused with words")
  func wrongCodes() async throws {
    try await Stage.with { stage in
      let (a, b) = (Account(stage: stage, name: "a"), Account(stage: stage, name: "b"))
      let (closing, line) = try await invite(a)
      let wrong = line.dropLast(26) + String(repeating: "0", count: 26)
      for left in [2, 1, 0] {
        let story = try await b.run(String(wrong))
        #expect(story.status == 2 && story.errors.count == 1)
        #expect(story.errors[0].hasPrefix("error: the code is wrong"), "\(story)")
        if left > 0 { try await closing.line("a wrong code from 127.0.0.1: \(left) more close") }
      }
      let closed = try await closing.end()
      #expect(closed.status == 2)
      #expect(closed.errors.last?.contains("there were three wrong codes") == true)
      for line in [line, try await usedLine(a, by: b)] {
        let story = try await b.run(line)
        #expect(story.status == 2 && story.errors.count == 1)
        #expect(
          story.errors[0].contains(
            "the invitation was used, has expired or was closed, or the address"),
          "\(story)")
      }
    }
  }

  private func usedLine(_ a: Account, by b: Account) async throws -> String {
    let (invitation, line) = try await invite(a)
    #expect(try await b.run(line).status == 0)
    #expect(try await invitation.end().status == 0)
    return line
  }

  @Test("An invitation ends when its time is over, and at Ctrl-C, and its line is refused then")
  func ended() async throws {
    try await Stage.with { stage in
      let (a, b) = (Account(stage: stage, name: "a"), Account(stage: stage, name: "b"))
      let (expiring, first) = try await invite(a, "--lifetime", "0.5")
      let expired = try await expiring.end()
      #expect(expired.status == 2 && expired.errors.last?.contains("has expired") == true)
      let (interrupted, second) = try await invite(a)
      try await interrupted.line("good for 10 minutes and one use")
      interrupted.send(SIGINT)
      #expect(try await interrupted.end().status == 130)
      for line in [first, second] {
        let story = try await b.run(line)
        #expect(story.status == 2 && story.errors[0].contains("has expired or was closed"))
      }
      #expect(!FileManager.default.fileExists(atPath: b.file.path))
    }
  }

  @Test("The keys that are handed over are those that the member holds then")
  func currentKeys() async throws {
    try await Stage.with { stage in
      let (a, b) = (Account(stage: stage, name: "a"), Account(stage: stage, name: "b"))
      let (invitation, line) = try await invite(a)
      #expect(try await a.skynet("key", "add", "--new").end().status == 0)
      #expect(try await b.run(line).status == 0)
      #expect(try await invitation.end().status == 0)
      let keys = try a.file.readAll()
      #expect(try keys.all.count == 2 && b.file.readAll() == keys)
    }
  }

  @Test("Each reason of a host is told once, and a member is told that an invitation is no node")
  func refusals() async throws {
    try await Stage.with { stage in
      let a = Account(stage: stage, name: "a")
      let (invitation, line) = try await invite(a)
      let place = String(line.split(separator: " ")[2])
      for _ in 0..<2 {
        let member = try await a.skynet(
          "systems", "--no-discovery", "--peers", place, "--wait", "1", "--expect", "1"
        ).end()
        #expect(member.status == 1, "\(member)")
        #expect(
          member.errors.contains { $0.contains("`skynet invite` listens there, and no node") },
          "\(member)")
      }
      #expect(try await Account(stage: stage, name: "b").run(line).status == 0)
      let story = try await invitation.end()
      #expect(story.status == 0)
      #expect(story.errors.count { $0.contains("perhaps looks for a node") } == 1, "\(story)")
    }
  }

  @Test("A line that was not copied whole, and a host that is none, are refused at once")
  func notWhole() async throws {
    try await Stage.with { stage in
      let b = Account(stage: stage, name: "b")
      for line in ["skynet join 127.0.0.1 abc", "skynet join 127.0.0.1:1 7h2wq04zj9xk5c8v3f1m6d"] {
        let story = try await b.run(line)
        #expect(story.status == 64 && story.errors[0].contains("copy the whole line"), "\(story)")
        #expect(!story.errors.joined().contains("7h2wq04zj9xk5c8v3f1m6d"))
      }
      for host in ["h:1", "", "[::1]", "a b", " ", "-h", "::", "0.0.0.0"] {
        let story = try await b.skynet("invite", "--host", host).end()
        #expect(story.status == 64 && story.errors[0].contains("--host"), "\(story)")
      }
    }
  }

  @Test("A code comes by the argument, SKYNET_CODE or standard input: the first that is there")
  func placesOfTheCode() async throws {
    try await Stage.with { stage in
      let a = Account(stage: stage, name: "a")
      let wrong = String(repeating: "0", count: 26)
      let places: [(words: String, variable: String, input: String)] = [
        ("CODE", wrong, wrong), ("", "CODE", wrong), ("", "", "CODE"), ("-", wrong, "LINE\r"),
      ]
      for (number, place) in places.enumerated() {
        let (invitation, line) = try await invite(a)
        let b = Account(stage: stage, name: "b\(number)")
        let filled = { (text: String) in
          text.replacingOccurrences(of: "CODE", with: line.suffix(26))
            .replacingOccurrences(of: "LINE", with: line)
        }
        let command = line.dropFirst("skynet ".count).dropLast(27)
        let joined = try await stage.shell(
          "'\(Paths.binary)' \(command) \(filled(place.words))", input: filled(place.input),
          b.environment.merging(["SKYNET_CODE": filled(place.variable)]) { $1 }
        ).end()
        #expect(joined.status == 0, "\(joined)")
        #expect(try await invitation.end().status == 0)
        #expect(try a.file.read() == b.file.read())
      }
    }
  }

  @Test(
    "What is no code is named by its place, and not repeated",
    arguments: [
      ("abc", "", "", "that is no code"), ("''", "", "", "that is no code"),
      ("", "abc", "", "SKYNET_CODE is no code"), ("", "", "", "standard input has no code"),
      ("-", "", "abc", "standard input has no code"),
      ("", "", String(repeating: "0", count: 10_000), "standard input has no code"),
    ])
  func noCode(words: String, variable: String, input: String, fault: String) async throws {
    try await Stage.with { stage in
      let story = try await stage.shell(
        "'\(Paths.binary)' join 127.0.0.1:1 \(words)", input: input, ["SKYNET_CODE": variable]
      ).end()
      #expect(story.status == 64 && story.errors[0].hasPrefix("error: \(fault), which has 26"))
      #expect(story.errors[0].hasSuffix("copy the whole line that `skynet invite` printed"))
      #expect(!story.errors.joined().contains("abc"), "\(story)")
    }
  }

  @Test("An account that cannot keep the key does not use the invitation up")
  func unwritable() async throws {
    try await Stage.with { stage in
      let a = Account(stage: stage, name: "a")
      let (invitation, line) = try await invite(a)
      // Even root cannot make a directory below a file.
      try Data().write(to: URL(fileURLWithPath: stage.file("file")))
      let refused = try await Account(stage: stage, name: "file").run(line)
      #expect(refused.status == 2)
      #expect(try await Account(stage: stage, name: "b").run(line).status == 0)
      #expect(try await invitation.end().status == 0)
    }
  }
}
