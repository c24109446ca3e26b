/// The versions that two peers compare when they meet.
public enum SkyNetVersion {
  /// The version of the wire protocol that this software speaks; see `docs/protocol.md`.
  public static let wireProtocol = 1
  /// The version of the software, for people.
  public static let software = "0.1.0"
}
