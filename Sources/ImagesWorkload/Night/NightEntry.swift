import Foundation
import SkyNetCommand
import SkyScan

/// An image of a night, as the command line or a list names it.
struct NightEntry: Sendable {
  /// The image's name for people.
  let text: String
  let name: ImageName
  /// The configuration file for this image alone.
  var config: String?
  /// The image's extension in the outputs' names; `nil` if its file has no other image.
  private(set) var label: String?
  /// The image's position in the night.
  var position = 0
  /// Why the image cannot be scanned, if that is known before it is opened.
  var refusal: String?

  /// - Throws: `ValidationError` if the name chooses another extension than the option.
  init(_ text: String, extension choice: String?, config: String? = nil) throws {
    self.text = text
    name = try ImageName(text).choosing(choice)
    self.config = config
  }

  private init(_ text: String, _ name: ImageName, label: String, config: String?) {
    self.text = text
    self.name = name
    self.label = label
    self.config = config
  }

  /// One image of the file that this entry names.
  func choosing(unit: Int, label: String) -> NightEntry {
    NightEntry(
      "\(name.path)[\(label)]", ImageName(path: name.path, extension: "\(unit)"), label: label,
      config: config)
  }

  /// The absolute path of the configuration file for this image alone.
  var configurationPath: String? { config.map { URL(fileURLWithPath: $0).path } }

  var place: NightFacts.Place { NightFacts.Place(path: name.path, choice: name.extension) }
}
