import SkyCatalog
import SkyNetCommand

/// The names of the files that are read and written for each image of a night.
struct NightPatterns: Sendable {
  private let catalogs: [OutputPattern]
  private let picture: OutputPattern?
  private let weight: OutputPattern?

  /// - Parameter several: whether there may be several images.
  /// - Throws: `ValidationError` for a pattern that is none, or that gives several images one name.
  init(_ places: CatalogOptions, weight: String?, several: Bool) throws {
    catalogs = try places.catalog.map { try OutputPattern($0, flag: "catalog") }
    picture = try places.picture.map { try OutputPattern($0, flag: "picture") }
    self.weight = try weight.map { try OutputPattern($0, flag: "weight") }
    guard several else { return }
    for catalog in catalogs { try catalog.checkForSeveralImages(flag: "catalog") }
    try picture?.checkForSeveralImages(flag: "picture")
  }

  /// Whether each output of several images of one file has a name of its own.
  var tellExtensionsApart: Bool {
    catalogs.allSatisfy { $0.has(.ext) } && picture?.has(.ext) ?? true
  }

  func catalogs(for image: NightEntry) -> [String] {
    catalogs.map { $0.path(for: image.name.path, label: image.label) }
  }

  func picture(for image: NightEntry) -> String? {
    picture?.path(for: image.name.path, label: image.label)
  }

  func weight(for image: NightEntry) -> String? {
    weight?.path(for: image.name.path, label: image.label)
  }

  /// The outputs of an image, with their options.
  func outputs(for image: NightEntry) -> [FileOption] {
    catalogs(for: image).map { ("catalog", $0) } + [("picture", picture(for: image))]
  }
}
