/// Where a node runs, as far as its peers can tell: its name and its host.
///
/// A restarted node is another ``Incarnation`` at the same place, whatever port it listens on.
/// Another host under the same name is another place.
package struct Place: Hashable, Sendable {
  package let name: String
  package let host: String

  package init(name: String, host: String) {
    self.name = name
    self.host = host
  }
}
