import SkyNetKeys

extension TransportSecurity {
  /// TLS by the cluster key that the command `skynet` uses on this account. So the programs of one account
  /// are members of one cluster.
  ///
  /// The key is that of the environment variable `SKYNET_KEY`, of the file that `SKYNET_KEY_FILE` names, or
  /// of the account's own file, which is made if it is missing.
  ///
  /// - Throws: `KeyError`, whose description says what to do; `NIOSSLError` if TLS cannot be set up.
  public static func ofThisAccount() throws -> TransportSecurity {
    let source = try KeySource.find()
    return try TransportSecurity(
      keys: KeyRing(try source.readOrMake().keys, file: source.file))
  }
}
