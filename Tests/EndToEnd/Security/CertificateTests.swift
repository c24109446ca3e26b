import Foundation
import Testing

/// Members with certificates from the test's own CA.
@Suite(
  "Members by certificate", .timeLimit(.ample),
  .enabled(if: OpenSSL.isThere, OpenSSL.missing))
struct CertificateTests {
  @Test("Members with certificates of one CA connect")
  func membersOfOneCAMeet() async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let a = try await node("a", try await ca.member("a"), on: stage)
      let run = try engage(a.port, try await ca.member("e"), on: stage, total: 100_000)
      try await run.completions(by: "a")
      try await run.stopUndisturbed()
    }
  }

  /// A fault of a member's certificate, with the words that the member gets as a reason.
  enum Fault: String, CaseIterable {
    case foreign = "which is not from its CA"
    case expired = "which has expired"
  }

  @Test("A bad certificate is refused with its fault", arguments: Fault.allCases, [false, true])
  func aBadCertificateIsRefused(_ fault: Fault, isNodes: Bool) async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let good = try await ca.member("good")
      var bad = try await ca.member("bad", days: fault == .expired ? -1 : 30)
      if fault == .foreign {
        bad = try await Authority("other", stage).member("bad")
        // The member trusts the right CA, but another one issued its certificate.
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

  @Test("A member by key and a member by certificate do not connect")
  func aMemberByKeyAndOneByCertificateDoNotMeet() async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let a = try await node("a", try await ca.member("a"), on: stage)
      let run = try stage.engage(peers: [a.port], "--total", "100000", "--scan-seconds", "0.5")
      try await run.process.line("secured in another way")
      try await a.process.line("secured in another way")
      try await run.stopUndisturbed()
    }
  }

  @Test("Certificate files that cannot be used are named")
  func filesThatCannotBeUsedAreNamed() async throws {
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
  ) throws -> RunningEngagement {
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

/// A certificate authority made with openssl.
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

  /// Issues a member's certificate that expires in this many days; a negative number is in the
  /// past.
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

/// The openssl program, with which tests make certificates and connect as non-members.
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
  ) throws -> RunningProcess {
    try launch(
      "/bin/sh", ["-c", "printf '%s\\n' \"$INPUT\" | \(line)"],
      environment.merging(["INPUT": input]) { $1 })
  }

  fileprivate func openssl(_ arguments: String) async throws {
    let story = try await shell("openssl \(arguments)").end()
    guard story.status == 0 else { throw Unexpected("openssl: \(story.errors)") }
  }
}
