/// Where a node runs, as far as its peers can tell: its name and its host.
///
/// A restarted node is another ``Incarnation`` at the same place, whatever port it listens on.
/// Another host under the same name is another place.
public struct Place: Hashable, Sendable {
  public let name: String
  public let host: String

  public init(name: String, host: String) {
    self.name = name
    self.host = host
  }
}
