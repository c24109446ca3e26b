public import SkyNetCore

/// A peer that is connected, as it introduced itself.
public struct RemoteSystem: Hashable, Sendable {
  /// What people call it here: its own name, or with its address if that name is taken.
  public let name: String
  public let address: String
  public let incarnation: Incarnation
  public let slots: Int
  /// The software's version.
  public let version: String
  public let scans: [ScanKind]
  /// Its name and host, which it has in common with what runs there before and after it.
  public let place: Place

  init(_ hello: Hello, name: String, address: String) {
    self.name = name
    self.address = address
    incarnation = hello.incarnation
    slots = hello.slots
    version = hello.software
    scans = hello.scans
    place = Place(name: hello.name, host: Endpoint(address)?.host ?? address)
  }
}
