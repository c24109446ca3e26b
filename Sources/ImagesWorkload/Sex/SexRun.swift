import ArgumentParser
import Foundation
import Logging
import SkyCatalog
import SkyNetCommand
import SkyNetKit

/// One run of `skynet sex`.
struct SexRun {
  let run: SexRequest.Run

  init(_ run: SexRequest.Run) { self.run = run }

  /// Options of `engage` for which SExtractor's words stand.
  private static let foreign = ["--image", "--images", "--follow", "--summary", "--config"]

  /// Scans the image, and writes the catalogue that the configuration names.
  ///
  /// - Throws: `ExitCode`; an error with the reason.
  func perform() async throws {
    let image = try image
    if let option = run.options.first(where: { word in
      Self.foreign.contains { word == $0 || word.hasPrefix($0 + "=") }
    }) {
      throw ValidationError("\(option) is for engage: give IMAGE and -c FILE")
    }
    let path = configuration
    let files = try SExtractorFiles(configuration: path, for: .sex(run.settings))
    let configuration = files.configuration
    let catalog = try SExtractorCatalog(configuration)
    try await Images.engage(["--image", image] + options, isSilent: configuration.isQuiet) {
      $0.scan.config = path
      $0.scan.sextractor = run.settings
      $0.places.sextractor = catalog
    }
  }

  private var image: String {
    get throws {
      switch run.images.count {
      case 1:
        let files = ImageName.matches(run.images[0])
        guard files.count == 1 else {
          throw ValidationError(
            "\(run.images[0]) names \(files.count) files, and this command scans one: give one of them, or all to "
              + "`skynet engage --image`")
        }
        return files[0]
      case 0: throw ValidationError("there is no image on the command line: give IMAGE first")
      case 2:
        throw ValidationError(
          "\(run.images.joined(separator: ", ")) ask for SExtractor's dual-image mode, which detects sources in "
            + "the first image and measures them in the second; it does not exist here: give one image"
        )
      default: throw ValidationError("too many input images: \(run.images[2]); give one image")
      }
    }
  }

  /// The configuration file; `nil` if it is not there, as SExtractor has it.
  private var configuration: String? {
    let path = run.configuration ?? "default.sex"
    if FileManager.default.fileExists(atPath: path) { return path }
    Console.standardError.line("\(path) not found, using internal defaults", level: .warning)
    return nil
  }

  /// Without options of the cluster, this machine's cores scan, and no others are looked for.
  private var options: [String] {
    guard run.options.isEmpty else { return run.options }
    let cores = min(ProcessInfo.processInfo.activeProcessorCount, Machine.slots)
    return ["--no-discovery", "--slots", "\(cores)"]
  }
}

/// The catalogue of a configuration, in one of SExtractor's formats, and its check images.
struct SExtractorCatalog: Codable, Equatable {
  /// The file's path; `nil` for standard output, or no catalogue.
  let path: String?
  /// The check images of the configuration.
  let checkImages: [CheckImage]
  let format: SExtractorFormat

  /// Journals have these names.
  private enum CodingKeys: String, CodingKey {
    case path, checkImages
    case format = "name"
  }

  /// - Throws: an error if a path names an environment variable that does not exist.
  init(_ configuration: SExtractorConfiguration) throws {
    format = configuration.catalogFormat
    let path = try configuration.expandedCatalogPath
    let isStandardOutput = path == "-" || format.isText && path == "STDOUT"
    self.path = format == .none || isStandardOutput ? nil : path
    checkImages = try configuration.expandedCheckImages
  }

  /// The files of the check images, with their keyword.
  var checkFiles: [FileOption] { checkImages.map { ("CHECKIMAGE_NAME", $0.path) } }
}
