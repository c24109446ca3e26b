import Foundation
import SkyCatalog
import SkyScan

/// An image of a night, as the command line or a list names it.
struct NightEntry: Sendable {
  /// The image's name as it was given.
  let text: String
  let name: ImageName
  /// The configuration file for this image alone.
  var config: String?

  /// - Throws: `ValidationError` if the name chooses another extension than the option.
  init(_ text: String, extension choice: String?, config: String? = nil) throws {
    self.text = text
    name = try ImageName(text).choosing(choice)
    self.config = config
  }

  var place: NightFacts.Place { NightFacts.Place(path: name.path, choice: name.extension) }
}

/// The files that are read and written for each image of a night, by patterns.
struct NightPatterns: Sendable {
  private let catalogs: [OutputPattern]
  private let picture: OutputPattern?
  private let weight: OutputPattern?

  /// - Throws: `ValidationError` for a pattern that is none, or that gives several images one name; the first
  ///   catalogue's for a name whose ending is no format's.
  init(_ places: CatalogOptions, weight: String?) throws {
    catalogs = try places.catalog.map { try OutputPattern($0, flag: "catalog") }
    picture = try places.picture.map { try OutputPattern($0, flag: "picture") }
    self.weight = try weight.map { try OutputPattern($0, flag: "weight") }
    for catalog in catalogs { try catalog.checkForSeveralImages(flag: "catalog") }
    try picture?.checkForSeveralImages(flag: "picture")
  }

  /// - Parameter label: the image's extension, where its file has several.
  func catalogs(for path: String, label: String?) -> [String] {
    catalogs.map { $0.path(for: path, label: label) }
  }

  func picture(for path: String, label: String?) -> String? {
    picture?.path(for: path, label: label)
  }

  func weight(for path: String, label: String?) -> String? {
    weight?.path(for: path, label: label)
  }

  /// The outputs of an image, with their options.
  func outputs(for path: String, label: String?) -> [Check.File] {
    catalogs(for: path, label: label).map { ("catalog", $0) }
      + [("picture", picture(for: path, label: label))]
  }
}
