public import Logging
import ServiceLifecycle
public import SkyNetCluster
public import SkyNetCore
public import SkyNetDiscovery
public import SkyNetTransport
public import UnixSignals

/// Serves scans to this account's cluster until SIGTERM or Ctrl-C, then finishes those that run.
///
/// ```swift
/// try await runNode(scans: [Primes()])
/// ```
///
/// Its defaults are those of `skynet node`: the cluster key of this account, which is made if there is none;
/// TLS; all addresses and any free port, told to others by DNS-SD; as many slots as this machine has
/// cores, and 4 at least. A program with services of its own runs a ``SkyNetCluster/Node`` among them.
///
/// - Parameters:
///   - scans: what it offers. Of two of one kind the later one counts.
///   - name: what it is called; another one, if a node has that name already.
///   - slots: how many scans it runs at a time.
///   - endpoint: where it listens.
///   - advertiser: tells others of it; with `nil` they need its address.
///   - security: which peers are trusted; those with this account's key, if it is not said.
///   - signals: what ends it.
///   - onReady: called once, when it can be reached.
/// - Throws: an error that says why, if it cannot listen, or the account's key cannot be read or made.
public func runNode(
  scans: [any Scan], name: String = Machine.name, slots: Int = Machine.slots,
  endpoint: Endpoint = .everywhere(port: 0), advertiser: (any Advertiser)? = DNSSD(),
  security: TransportSecurity? = nil, signals: [UnixSignal] = [.sigterm, .sigint],
  logger: Logger = Logger(label: "skynet.node"), onReady: @escaping Node.Ready = { _, _ in }
) async throws {
  let node = Node(
    NodeSettings(name: name, slots: slots, endpoint: endpoint), scans: scans,
    transport: TCPTransport(try security ?? .ofThisAccount()), advertiser: advertiser,
    logger: logger, onReady: onReady)
  let services = ServiceGroup(
    services: [node], gracefulShutdownSignals: signals, logger: logger)
  try await services.run()
}
