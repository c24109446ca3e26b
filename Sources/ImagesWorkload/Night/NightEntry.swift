import Foundation
import SkyFITS
import SkyFiles
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
  /// The image's number among those of its file that are scanned, from 1, and their number.
  private(set) var placeInFile = (number: 1, count: 1)
  /// The outputs that have all images of the file; `nil` if there are none, or the file has no other image.
  private(set) var wholeFile: FileOutputs?
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

  /// The images of the file that this entry names.
  ///
  /// - Parameters:
  ///   - units: the images.
  ///   - wholeFile: the outputs that have all images; `nil` if there are none.
  func images(
    _ units: [FITSImageUnit], wholeFile: FileOutputs? = nil
  ) -> [NightEntry] {
    let labels = ExtensionLabels.labels(of: units.map { ($0.number, $0.name) })
    return zip(units, labels).enumerated().map { index, image in
      let (unit, label) = image
      var entry = NightEntry(
        "\(name.path)[\(label)]", ImageName(path: name.path, extension: "\(unit.number)"),
        label: label, config: config)
      entry.placeInFile = (index + 1, units.count)
      entry.wholeFile = wholeFile
      if unit.isDamaged {
        entry.refusal =
          "its header cannot be read, and what is behind it cannot be found; fetch the file again, or check it "
          + "with fitsverify"
      }
      return entry
    }
  }

  /// The absolute path of the configuration file for this image alone.
  var configurationPath: ExactText? { config.map { ExactText(URL(fileURLWithPath: $0).path) } }

  var place: NightFacts.Place { NightFacts.Place(path: name.path, choice: name.extension) }
}
