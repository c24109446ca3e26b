import ArgumentParser

/// Options for the scan of an image that were given without one, or options for a simulated scan
/// beside an image.
struct MisplacedOptions: Error, Hashable, CustomStringConvertible {
  /// Each with its dashes; at least one.
  let options: [String]
  /// Whether the command line names an image.
  let hasImage: Bool

  var description: String {
    let names =
      (options.count > 1 ? options.dropLast().joined(separator: ", ") + " and " : "")
      + (options.last ?? "")
    let (are, them) = options.count > 1 ? ("are", "them") : ("is", "it")
    guard hasImage else { return "\(names) \(are) for the scan of an image: give --image FILE too" }
    guard options != ["--total"] else {
      return "--total counts simulated sectors, and an image has its own: leave out one"
    }
    return "\(names) \(are) for simulated scans: leave \(them) or --image out"
  }

  /// Checks that a command line of `engage` gives no option that is for the other kind of sky.
  ///
  /// - Throws: ``MisplacedOptions``.
  static func check(_ arguments: [String], of sky: EngagedSky) throws {
    let given = try GivenArguments(arguments, of: EngageCommand.self)
    let (others, hasImage): ([any ParsableArguments.Type], Bool) =
      switch sky {
      case .simulated: ([EngagedImageOptions.self, EngagedCatalogOptions.self], false)
      case .image: ([SimulationOptions.self], true)
      }
    let options = try given.names(of: others)
    if !options.isEmpty { throw MisplacedOptions(options: options, hasImage: hasImage) }
  }
}
