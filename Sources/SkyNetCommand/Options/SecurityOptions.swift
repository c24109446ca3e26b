import ArgumentParser
import Logging
import SkyNetCore
import SkyNetKeys
import SkyNetTransport

/// Which peers this command connects to; the same for every command that connects.
struct SecurityOptions: ParsableArguments {
  @OptionGroup var key: KeyFileOption

  @Flag(
    help: "Connect without encryption to every peer that does the same; for a network you trust.")
  var insecure = false

  @Option(
    help: ArgumentHelp("This member's certificate, in place of a key: PEM.", valueName: "file"),
    completion: .file())
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("The certificate's private key: PEM.", valueName: "file"),
    completion: .file())
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "The CA that issued all members' certificates: PEM.", valueName: "file"), completion: .file())
  var tlsCa: String?

  func validate() throws {
    let files = [tlsCertificate, tlsKey, tlsCa].compactMap { $0 }
    guard files.isEmpty || files.count == 3 else {
      throw ValidationError("--tls-certificate, --tls-key and --tls-ca belong together: give all")
    }
    guard [insecure, key.keyFile != nil, !files.isEmpty].count(where: { $0 }) <= 1 else {
      throw ValidationError(
        "--insecure, --key-file and --tls-… exclude each other: give one of them")
    }
  }

  /// The files that are read, with the options that name them; also this account's own key file.
  var files: [FileOption] {
    let keyFile = insecure || tlsKey != nil ? nil : try? key.source().file?.path
    return [
      ("key-file", keyFile), ("tls-certificate", tlsCertificate), ("tls-key", tlsKey),
      ("tls-ca", tlsCa),
    ]
  }

  /// The transport for connecting and for listening. Prints on standard error if it does not
  /// encrypt, or if a key was made.
  ///
  /// - Parameters:
  ///   - timeout: how long a peer that connects may take to show that it is a member; 5 s at least.
  ///   - limit: how many bytes all peers together may make this process hold.
  ///   - scans: how many scans this process runs at a time.
  ///   - isAlone: whether no other process takes part. The key or the certificates are not read then, and no key is
  ///     made: a random one, which nobody else has, keeps every peer out.
  /// - Throws: `ExitCode`, after the reason was printed; also if not all threads of such a process can be started.
  func transport(
    _ console: Console, timeout: Duration = UnauthenticatedLimits.minimumHandshakeTimeout,
    holding limit: Int = MemoryBudget.forEngaging, scans: Int = 0, isAlone: Bool = false
  ) throws -> TCPTransport {
    try ThreadShortage.checkToConnect(scans: scans)
    do {
      return TCPTransport(
        try isAlone ? TransportSecurity(key: ClusterKey()) : security(console),
        budget: MemoryBudget(limit: limit),
        unauthenticated: UnauthenticatedLimits(peerTimeout: timeout))
    } catch {
      throw fail(error)
    }
  }

  /// A line about the machine's shared key, if it and this command's differ. Where a key is yet to be made, that will
  /// tell.
  func tellOfSharing(_ console: Console) {
    guard !insecure, tlsKey == nil, let source = try? key.source(), source.file?.access == .readable
    else { return }
    source.tellOfSharing(console)
  }

  private func security(_ console: Console) throws -> TransportSecurity {
    if insecure {
      console.line(
        "--insecure: nothing is encrypted, and every peer that connects is served",
        level: .warning)
      return .insecure
    }
    if let tlsCertificate, let tlsKey, let tlsCa {
      return try TransportSecurity(
        certificates: CertificateFiles(
          certificate: tlsCertificate, key: tlsKey, authority: tlsCa))
    }
    let source = try key.source()
    return try TransportSecurity(
      keys: KeyRing(try source.keys(reportingTo: console), file: source.file))
  }
}

extension KeySource {
  /// The keys. If there were none, so that one had to be made, a line on the console says so.
  func keys(reportingTo console: Console) throws -> ClusterKeys {
    let (keys, isNew) = try readOrMake()
    if isNew, let file {
      console.line("made a cluster key, \(keys), in \(file.path)")
      tellOfSharing(console)
    }
    return keys
  }

  /// A line about the machine's shared key, if that is not this account's.
  func tellOfSharing(_ console: Console) {
    if let note = sharingNote() { console.line(note) }
  }
}
