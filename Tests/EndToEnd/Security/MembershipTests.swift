import Foundation
import SkyNetKeys
import Testing

/// Only a peer with the cluster's key can connect, and any other peer gets the reason.
@Suite("Membership by the cluster key", .timeLimit(.ample))
struct MembershipTests {
  @Test("Two processes that start together on a new account share one key")
  func twoProcessesShareANewKey() async throws {
    try await Stage.with { stage in
      let account = ["XDG_CONFIG_HOME": stage.file("new-account")]
      let options = ["node", "--host", "127.0.0.1", "--no-discovery", "--name"]
      let starting = try ["a", "b"].map { name in
        try stage.launch(Paths.binary, options + [name], account)
      }
      var ports: [Int] = []
      for process in starting { ports.append(try await RunningNode(process).port) }
      #expect(starting.count { $0.soFar.errors[0].hasPrefix("made a cluster key, ") } == 1)
      let run = try stage.engage(
        peers: ports,
        ["--no-local", "--wait-for", "2", "--total", "100000", "--scan-seconds", "0.1"],
        account)
      for name in ["a", "b"] { try await run.completions(by: name) }
      try await run.stopUndisturbed()
    }
  }

  @Test("A peer with another key is refused, and both sides say what to do")
  func anotherKeyIsRefusedAndBothSidesSayWhatToDo() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let other = ["SKYNET_KEY": ClusterKey().text]
      let run = try stage.engage(
        peers: [a.port], ["--total", "100000", "--scan-seconds", "0.5"], other)
      let advice =
        "another cluster key; to let it in: skynet invite here, and there the command that it prints"
      try await run.process.line(advice)
      try await a.process.line(advice)
      let outcome = try await run.stopUndisturbed()
      #expect(outcome.shares.keys.sorted() == ["local"])
      #expect(outcome.errors.count { $0.contains(advice) } == 1)
      #expect(a.process.soFar.errors.count { $0.contains(advice) } == 1)

      // The other way, for where there is ssh.
      let key = try await stage.skynet("key", "show").end()
      let imported = try await stage.shell(
        "'\(Paths.binary)' key import", input: key.output[0], ["XDG_CONFIG_HOME": stage.file("b")]
      ).end()
      #expect(imported.status == 0)
      let joined = try stage.engage(
        peers: [a.port], ["--no-local", "--total", "4", "--scan-seconds", "0"],
        ["XDG_CONFIG_HOME": stage.file("b")])
      try await joined.outcome().expectEverySectorOnce(of: 4)
    }
  }

  @Test("A peer that does not speak TLS is refused")
  func aPeerWithoutTLSIsRefused() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      for text in ["GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\u{0}"] {
        let answer = try await RawConnection.answer(to: Data(text.utf8), port: a.port)
        #expect(answer.isEmpty, "an unauthenticated peer gets no answer")
      }
      try await a.process.line("reason it does not speak TLS")
      let refusals = a.process.soFar.errors.count { $0.contains("it does not speak TLS") }
      #expect(refusals == 1)
    }
  }

  @Test("A TLS client without the key is refused", .enabled(if: OpenSSL.isThere, OpenSSL.missing))
  func aTLSClientWithoutTheKeyIsRefused() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      for options in ["", "-tls1_2", "-psk 00112233 -psk_identity x -tls1_2"] {
        let story = try await stage.shell(
          "openssl s_client -connect 127.0.0.1:\(a.port) \(options) </dev/null"
        ).end()
        #expect((story.status ?? 0) != 0, "\(options)")
      }
      try await a.process.line("it has no cluster key, or is secured in another way")
    }
  }

  @Test("An insecure peer and a secure one do not connect", arguments: [false, true])
  func anInsecurePeerAndASecureOneDoNotMeet(isNodeInsecure: Bool) async throws {
    try await Stage.with { stage in
      let a = try await (isNodeInsecure ? stage.node("a", "--insecure") : stage.node("a"))
      let run = try stage.engage(
        peers: [a.port],
        ["--total", "100000", "--scan-seconds", "0.5"] + (isNodeInsecure ? [] : ["--insecure"]))
      try await run.process.line("--insecure")
      try await run.process.line("warning: peer 127.0.0.1:\(a.port)")
      try await a.process.line("a connection was refused")
      try await run.stopUndisturbed()
      let insecure = isNodeInsecure ? a.process : run.process
      #expect(insecure.soFar.errors[0].hasPrefix("warning: --insecure: nothing is encrypted"))
    }
  }
}
