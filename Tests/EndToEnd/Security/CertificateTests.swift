import Foundation
import Testing

/// Members by certificate: a CA of the test's own.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct CertificateTests {
  @Test func membersOfOneCAMeet() async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let a = try await node("a", try await ca.member("a"), on: stage)
      let run = try engage(a.port, try await ca.member("e"), on: stage, total: 12)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 12)
      #expect(outcome.shares["a"] ?? 0 > 0)
    }
  }

  @Test func aForeignCertificateIsRefused() async throws {
    try await Stage.with { stage in
      let (ca, other) = (try await Authority("ca", stage), try await Authority("other", stage))
      let a = try await node("a", try await ca.member("a"), on: stage)
      // It claims the right CA, or is told so, but has its certificate from another.
      var foreign = try await other.member("e")
      foreign.authority = ca.certificate
      let run = try engage(a.port, foreign, on: stage, total: 16)
      try await run.process.line("it refuses this side's certificate, which is not from its CA")
      try await a.process.line("its certificate has expired, or is not from this cluster's CA")
      try await run.outcome().expectEverySectorOnce(of: 16)
    }
  }

  @Test func anExpiredCertificateIsRefused() async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let a = try await node("a", try await ca.member("a"), on: stage)
      let run = try engage(a.port, try await ca.member("e", days: -1), on: stage, total: 16)
      try await run.process.line("it refuses this side's certificate, which has expired")
      try await a.process.line("its certificate has expired, or is not from this cluster's CA")
      try await run.outcome().expectEverySectorOnce(of: 16)
    }
  }

  @Test func aMemberByKeyAndOneByCertificateDoNotMeet() async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let a = try await node("a", try await ca.member("a"), on: stage)
      let run = try stage.engage(peers: [a.port], "--total", "16", "--scan-seconds", "0.5")
      try await run.process.line("secured in another way")
      try await a.process.line("secured in another way")
      try await run.outcome().expectEverySectorOnce(of: 16)
    }
  }

  @Test func filesThatCannotBeUsedAreNamed() async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let (a, b) = (try await ca.member("a"), try await ca.member("b"))
      var wrong = [a, a, a]
      wrong[0].certificate = "/nowhere.pem"
      wrong[1].key = a.certificate
      wrong[2].key = b.key
      for (files, culprit) in zip(wrong, ["/nowhere.pem", a.certificate, b.key]) {
        let story = try await stage.skynet(["node", "--no-discovery"] + files.options).end()
        #expect(story.status == 2)
        #expect(story.errors.count == 1 && story.errors[0].contains("error: \(culprit) "))
      }
    }
  }

  private func node(
    _ name: String, _ files: MemberFiles, on stage: Stage
  ) async throws -> RunningNode {
    try await RunningNode(
      stage.skynet(
        ["node", "--name", name, "--host", "127.0.0.1", "--no-discovery"] + files.options))
  }

  private func engage(
    _ port: Int, _ files: MemberFiles, on stage: Stage, total: Int
  ) throws -> Engaging {
    try stage.engage(
      peers: [port], ["--total", "\(total)", "--scan-seconds", "0.5"] + files.options)
  }
}

/// The options of a member by certificate.
struct MemberFiles {
  var certificate: String
  var key: String
  var authority: String

  var options: [String] {
    ["--tls-certificate", certificate, "--tls-key", key, "--tls-ca", authority]
  }
}

/// A CA, made with openssl.
struct Authority {
  let certificate: String
  private let key: String
  private let stage: Stage

  init(_ name: String, _ stage: Stage) async throws {
    self.stage = stage
    certificate = stage.file("\(name).pem")
    key = stage.file("\(name).key")
    try await stage.openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=\(name) "
        + "-keyout \(key) -out \(certificate)")
  }

  /// A member's certificate, which expires in so many days, or did.
  func member(_ name: String, days: Int = 30) async throws -> MemberFiles {
    let stem = stage.file("\(name)-\(UUID().uuidString.prefix(8))")
    try await stage.openssl(
      "req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name) "
        + "-keyout \(stem).key -out \(stem).csr")
    try await stage.openssl(
      "x509 -req -in \(stem).csr -CA \(certificate) -CAkey \(key) -CAcreateserial "
        + "-days \(days) -out \(stem).pem")
    return MemberFiles(
      certificate: "\(stem).pem", key: "\(stem).key", authority: certificate)
  }
}

extension Stage {
  /// Runs a line of shell.
  func shell(
    _ line: String, input: String = "", _ environment: [String: String] = [:]
  ) throws -> Running {
    try launch(
      "/bin/sh", ["-c", "printf '%s\\n' \"$INPUT\" | \(line)"],
      environment.merging(["INPUT": input]) { $1 })
  }

  fileprivate func openssl(_ arguments: String) async throws {
    let story = try await shell("openssl \(arguments)").end()
    guard story.status == 0 else { throw Unexpected("openssl: \(story.errors)") }
  }
}
