import Foundation
import Testing

/// Members by certificate: a CA of the test's own.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: OpenSSL.isThere, OpenSSL.missing))
struct CertificateTests {
  @Test func membersOfOneCAMeet() async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let a = try await node("a", try await ca.member("a"), on: stage)
      let run = try engage(a.port, try await ca.member("e"), on: stage, total: 100_000)
      try await run.completions(by: "a")
      try await run.stopUndisturbed()
    }
  }

  /// What is wrong with a member's certificate, and what the other side says to it.
  enum Fault: String, CaseIterable {
    case foreign = "which is not from its CA"
    case expired = "which has expired"
  }

  @Test(arguments: Fault.allCases, [false, true])
  func aBadCertificateIsRefused(_ fault: Fault, isNodes: Bool) async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let good = try await ca.member("good")
      var bad = try await ca.member("bad", days: fault == .expired ? -1 : 30)
      if fault == .foreign {
        bad = try await Authority("other", stage).member("bad")
        // It knows the right CA, and has its certificate from another.
        bad.authority = ca.certificate
      }
      let a = try await node("a", isNodes ? bad : good, on: stage)
      let run = try engage(a.port, isNodes ? good : bad, on: stage, total: 100_000)
      let (refusing, refused) = isNodes ? (run.process, a.process) : (a.process, run.process)
      try await refusing.line("its certificate has expired, or is not from this cluster's CA")
      try await refused.line("it refuses this side's certificate, \(fault.rawValue)")
      try await run.stopUndisturbed()
    }
  }

  @Test func aMemberByKeyAndOneByCertificateDoNotMeet() async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let a = try await node("a", try await ca.member("a"), on: stage)
      let run = try stage.engage(peers: [a.port], "--total", "100000", "--scan-seconds", "0.5")
      try await run.process.line("secured in another way")
      try await a.process.line("secured in another way")
      try await run.stopUndisturbed()
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

/// The program, by which tests make certificates and play a stranger.
enum OpenSSL {
  static let missing: Comment = "needs openssl: apt-get install openssl"

  static var isThere: Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/openssl")
    }
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
