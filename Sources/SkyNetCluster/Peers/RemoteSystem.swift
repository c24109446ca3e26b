public import SkyNetCore

/// A peer that is connected, as it introduced itself.
public struct RemoteSystem: Hashable, Sendable {
  /// Its name for people: its own, with its address if another system here has that name.
  public let name: String
  public let address: String
  public let incarnation: Incarnation
  public let slots: Int
  /// The software's version.
  public let version: String
  public let scans: [ScanKind]
  /// Its name and host, which the processes before and after it there have too.
  package let place: Place

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
