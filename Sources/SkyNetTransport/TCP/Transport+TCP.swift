public import SkyNetCluster

extension Transport {
  /// The cluster's network: TCP, with TLS unless `security` is ``TransportSecurity/insecure``.
  ///
  /// ```swift
  /// let node = Node(settings, scans: [Primes()], transport: .tcp(try .ofThisAccount()))
  /// ```
  ///
  /// - Parameter security: how connections are encrypted, and which peers are members. Both ends need the same.
  public static func tcp(_ security: TransportSecurity) -> Transport {
    Transport(TCPTransport(security))
  }
}
