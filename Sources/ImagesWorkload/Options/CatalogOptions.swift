import ArgumentParser
import SkyCatalog
import SkyNetCommand

/// The files that get an image's sources.
struct CatalogOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file for the sources; its ending chooses CSV, ECSV, a FITS table (.fits) or DS9 regions \
      (.reg); with engage --config any other ending, such as .cat, chooses the CATALOG_TYPE there. It may be \
      given several times. - is CSV on standard output, the default.
      """, valueName: "file"), completion: .file())
  var catalog: [String] = []

  @Option(
    help: ArgumentHelp(
      "A picture of the image, its sources, and which system scanned which sector; - is standard output.",
      valueName: "file.png"), completion: .file())
  var picture: String?

  /// The catalogue of `skynet sex`; `nil` for other commands.
  var sextractor: SExtractorCatalog?

  /// The names as patterns, with the options that have them.
  var patterns: [(flag: String, text: String)] {
    catalog.map { ("catalog", $0) } + (picture.map { [("picture", $0)] } ?? [])
  }

  /// Whether a name has a placeholder for what differs from image to image.
  var hasPatterns: Bool { patterns.contains { $0.text.contains("{") } }

  var isGiven: Bool { !catalog.isEmpty || picture != nil }

  /// The files that are written, with the options that name them; `-` is standard output, which gets a catalogue that
  /// has no other place.
  var files: [FileOption] {
    let unnamed =
      sextractor.map { $0.path ?? ($0.format == .none ? nil : "-") }
      ?? (catalog.isEmpty ? "-" : nil)
    return catalog.map { ("catalog", $0) } + [("catalog", unnamed), ("picture", picture)]
      + (sextractor?.checkFiles ?? [])
  }

  /// Whether the configuration names a catalogue's format, because the path's ending names none.
  static func isPrinted(_ path: String) -> Bool { (try? CatalogFormat(path: path)) == nil }

  /// Whether a configuration names the format of one of the catalogues.
  var arePrinted: Bool { catalog.contains(where: Self.isPrinted) }

  /// Checks that each catalogue's ending names its format.
  ///
  /// - Throws: `ValidationError` if one does not.
  func checkEndings() throws {
    for path in catalog {
      do {
        _ = try CatalogFormat(path: path)
      } catch {
        throw ValidationError("--catalog: \(error)")
      }
    }
  }
}
