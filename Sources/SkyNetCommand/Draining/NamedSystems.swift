import SkyNetCluster
import SkyNetCore

/// Finds the systems that a command line names among those that are connected.
struct NamedSystems {
  /// Why the names cannot be used.
  struct Failure: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  let systems: [RemoteSystem]

  /// The systems of a name. An address after the name, as in `b@10.0.0.7:4711`, tells systems of one name apart. An
  /// address alone is enough where it is known and the name is not, as in a container's hook.
  func named(_ name: String) -> [RemoteSystem] {
    systems.filter { $0.place.name == name || $0.fullName == name || $0.address == name }
  }

  /// Whether every name is that of a system.
  func hasAll(_ names: [String]) -> Bool { names.allSatisfy { !named($0).isEmpty } }

  /// The systems of these names, each once, in the order of the names.
  ///
  /// - Throws: ``Failure`` if a name is that of no system, or of several.
  func all(_ names: [String]) throws(Failure) -> [RemoteSystem] {
    var found: [RemoteSystem] = []
    for name in names {
      let matches = named(name)
      guard let system = matches.first else { throw unknown(name) }
      guard matches.count == 1 else {
        throw Failure(
          description: "\(matches.count) systems have the name \(name): give one of "
            + matches.map(\.fullName).sorted().joined(separator: ", "))
      }
      if !found.contains(system) { found.append(system) }
    }
    return found
  }

  private func unknown(_ name: String) -> Failure {
    let there = systems.map(\.name).sorted().joined(separator: ", ")
    return Failure(
      description: "no system has the name \(name): "
        + (systems.isEmpty
          ? "none was found; look for longer with --search-timeout, or give its address with --peers"
          : "there \(systems.count == 1 ? "is" : "are") \(there)"))
  }
}
