public import SkyNetCore

/// A connected peer, as it introduced itself.
public struct RemoteSystem: Hashable, Sendable {
  /// The peer's name for people. Its address is appended from the time on when another system here has the same name.
  public private(set) var name: String
  /// The host and port at the other end of the connection, as text. If it is relayed, they are those of the process
  /// between.
  public let address: String
  /// The identity of the peer's process.
  public let incarnation: Incarnation
  /// How many scans the peer runs at a time.
  public let slots: Int
  /// The version of the peer's software.
  public let version: String
  /// The kinds of scans that the peer runs.
  public let scans: [ScanKind]
  /// The peer's own name and its host. Earlier and later processes there have the same place.
  package let place: Place
  /// See ``Hello/cancelsWithin``.
  let cancelsWithin: Duration

  init(_ hello: Hello, name: String, address: String) {
    self.name = name
    self.address = address
    incarnation = hello.incarnation
    slots = hello.slots
    version = hello.software
    scans = hello.scans
    cancelsWithin = hello.cancelsWithin
    place = Place(name: hello.name, host: Endpoint(address)?.host ?? address)
  }

  /// The peer's own name with its address, which tells systems of one name apart.
  package var fullName: String { "\(place.name)@\(address)" }

  /// The same system under its full name.
  func withFullName() -> RemoteSystem {
    var system = self
    system.name = fullName
    return system
  }
}
