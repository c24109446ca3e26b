import SkyNetKeys

extension TransportSecurity {
  /// Secured by the cluster key that the command `skynet` uses on this account, which is made if
  /// there is none: programs of one account are of one cluster.
  ///
  /// - Throws: `KeyError`, which says what to do; `NIOSSLError` if TLS cannot be set up.
  public static func ofThisAccount() throws -> TransportSecurity {
    try TransportSecurity(key: KeySource.find().readOrMake().key)
  }
}
