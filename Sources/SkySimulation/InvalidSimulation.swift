/// Settings, or an output, that a simulated scan cannot have.
package struct InvalidSimulation: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
