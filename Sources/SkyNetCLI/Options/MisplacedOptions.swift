import ArgumentParser

/// Options for the scan of an image that were given without an image, or options for a simulated
/// scan that were given with one.
struct MisplacedOptions: Error, Hashable, CustomStringConvertible {
  /// The options with their dashes; at least one.
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

  /// Checks that a command line of `engage` has no option for the other kind of scan.
  ///
  /// - Throws: ``MisplacedOptions``.
  static func check(_ arguments: [String], of input: EngageInput) throws {
    let hasImage = if case .simulated = input { false } else { true }
    let others = hasImage ? simulationGroups : imageGroups
    let candidates = likelyNames(of: others)
    // Reading the declarations takes longer than the scan of a small image.
    guard arguments.contains(where: { candidates.contains(String($0.prefix { $0 != "=" })) }) else {
      return
    }
    let options = try GivenArguments(arguments, of: EngageCommand.self).names(of: others)
    if !options.isEmpty { throw MisplacedOptions(options: options, hasImage: hasImage) }
  }

  static let simulationGroups: [any ParsableArguments.Type] = [SimulationOptions.self]
  static let imageGroups: [any ParsableArguments.Type] = [
    EngageImageOptions.self, NightOptions.self, ImageOptions.self, DataRootOptions.self,
    EngageCatalogOptions.self,
    CatalogOptions.self, EngageBatchOptions.self, BatchOptions.self,
  ]

  /// The command-line names of these groups' properties. Properties that are groups themselves add
  /// names that no option has.
  static func likelyNames(of groups: [any ParsableArguments.Type]) -> Set<String> {
    let labels = groups.flatMap { Mirror(reflecting: $0.init()).children.compactMap(\.label) }
    return Set(
      labels.map { label in
        label.drop { $0 == "_" }.reduce("--") {
          $1.isUppercase ? "\($0)-\($1.lowercased())" : "\($0)\($1)"
        }
      })
  }
}
