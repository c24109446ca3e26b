/// The versions that two peers compare when they meet.
public enum SkyNetVersion {
  /// The newest version of the wire protocol that this software speaks; see `docs/protocol.md`.
  public static let wireProtocol = 1
  /// The oldest version that it speaks besides; `nil` if it speaks no other. Two peers talk by the newest version
  /// that both speak, and not at all if there is none.
  package static let oldestWireProtocol: Int? = nil
  /// The version of the software, for people.
  public static let software = "0.1.0"
}
