public import SkyNetCluster
public import SkyNetCore
public import SkyNetDiscovery
public import SkyNetTransport

/// Finds the systems of this account's cluster, keeps connected to them while `body` runs, and then
/// disconnects. This process scans too.
///
/// ```swift
/// try await withCluster(scans: [Primes()]) { cluster in
///   for try await sector in cluster.results(of: Primes(), for: ranges) {
///     print(sector.number, try sector.output.get())
///   }
/// }
/// ```
///
/// The defaults are those of `skynet engage`: the cluster key of this account, which is made if there is
/// none; TLS; DNS-SD; as many slots as ``Machine/slots`` says.
///
/// Cancelling its task cancels `body`.
///
/// - Parameters:
///   - scans: the scans to run. The local system runs them too.
///   - name: this program's name, which nodes show for its tasks.
///   - slots: how many scans this process runs at a time; with 0, only other systems scan.
///   - servesOthers: whether this process lends its own system to others that engage; see
///     `ClusterSettings.servesOthers`.
///   - discoveries: how to find systems; `FixedPeers` names them by address.
///   - advertisers: how others find this process, if it serves them.
///   - security: which peers are members; with `nil`, those that hold this account's key.
///   - logger: takes the warnings about peers that cannot be reached.
///   - body: engages the cluster. Connections end when it returns or throws.
/// - Returns: the value that `body` returns.
/// - Throws: the error of `body`; an error with the reason, if the account's key cannot be read or made.
public func withCluster<Result: Sendable>(
  scans: [any Scan], name: String = Machine.name, slots: Int = Machine.slots,
  servesOthers: Bool = false, discoveries: [any Discovery] = [DNSSD()],
  advertisers: [any Advertiser] = [DNSSD()], security: TransportSecurity? = nil,
  logger: Logger = Logger(label: "skynet.cluster"),
  _ body: (Cluster) async throws -> Result
) async throws -> Result {
  var settings = ClusterSettings(name: name, localSlots: slots)
  settings.servesOthers = servesOthers
  return try await Cluster.with(
    settings, scans: scans, discoveries: discoveries, advertisers: advertisers,
    transport: .tcp(try security ?? .ofThisAccount()), logger: logger, body)
}
