import ServiceLifecycle
public import SkyNetCluster
public import SkyNetCore
public import SkyNetDiscovery
public import SkyNetTransport
public import UnixSignals

/// Serves scans to this account's cluster until SIGTERM or Ctrl-C, then finishes the scans that run.
///
/// ```swift
/// try await runNode(scans: [Primes()])
/// ```
///
/// The defaults are those of `skynet node`: the cluster key of this account, which is made if there is none;
/// TLS; all addresses and any free port, advertised by DNS-SD; as many slots as ``Machine/slots``
/// says. A program with other services runs a `Node` among them instead.
///
/// The function returns when a signal has ended the node. Cancelling its task ends the node at once, and
/// cancels the scans that run.
///
/// - Parameters:
///   - scans: the scans that the node offers. Of two scans of one kind the later one counts.
///   - name: the node's name. If another node has that name, a number is added: `a #2`.
///   - slots: how many scans the node runs at a time.
///   - endpoint: where the node listens.
///   - advertisers: advertise the node; with none, other programs need the node's address.
///   - security: which peers are members; with `nil`, those that hold this account's key.
///   - signals: the signals that end the node.
///   - logger: takes the node's log.
///   - onReady: called once, when the node can be reached.
/// - Throws: an error with the reason, if the node cannot listen, or the account's key cannot be read or made.
public func runNode(
  scans: [any Scan], name: String = Machine.name, slots: Int = Machine.slots,
  endpoint: Endpoint = .everywhere(port: 0), advertisers: [any Advertiser] = [DNSSD()],
  security: TransportSecurity? = nil, signals: [UnixSignal] = [.sigterm, .sigint],
  logger: Logger = Logger(label: "skynet.node"), onReady: @escaping Node.Ready = { _, _ in }
) async throws {
  let node = Node(
    NodeSettings(name: name, slots: slots, endpoint: endpoint), scans: scans,
    transport: .tcp(try security ?? .ofThisAccount()), advertisers: advertisers,
    logger: logger, onReady: onReady)
  let services = ServiceGroup(
    services: [node], gracefulShutdownSignals: signals, logger: logger)
  try await services.run()
}
