public import Logging
public import SkyNetCluster
public import SkyNetCore
public import SkyNetDiscovery
public import SkyNetTransport

/// Finds the systems of this account's cluster, keeps connected to them while `body` runs, and then says
/// goodbye. This process scans too.
///
/// ```swift
/// try await withCluster(scans: [Primes()]) { cluster in
///   for try await sector in cluster.results(of: Primes(), for: ranges) {
///     print(sector.number, try sector.output.get())
///   }
/// }
/// ```
///
/// Its defaults are those of `skynet engage`: the cluster key of this account, which is made if there is
/// none; TLS; DNS-SD; as many slots as this machine has cores, and 4 at least.
///
/// - Parameters:
///   - scans: those whose results are wanted. The local system runs them too.
///   - name: what nodes show as the one that they work for.
///   - slots: how many scans this process runs at a time; 0 to leave all to others.
///   - discoveries: where to learn of systems; ``SkyNetDiscovery/FixedPeers`` names them by address.
///   - security: which peers are trusted; those with this account's key, if it is not said.
/// - Throws: what `body` throws; an error that says why, if the account's key cannot be read or made.
public func withCluster<Result: Sendable>(
  scans: [any Scan], name: String = Machine.name, slots: Int = Machine.slots,
  discoveries: [any Discovery] = [DNSSD()], security: TransportSecurity? = nil,
  logger: Logger = Logger(label: "skynet.cluster"),
  _ body: @Sendable (Cluster) async throws -> Result
) async throws -> Result {
  try await Cluster.with(
    ClusterSettings(name: name, localSlots: slots), scans: scans, discoveries: discoveries,
    transport: TCPTransport(try security ?? .ofThisAccount()), logger: logger, body)
}
