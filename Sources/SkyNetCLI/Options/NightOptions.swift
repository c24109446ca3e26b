import ArgumentParser
import SkyNetCore

/// The images that `engage` scans: one, or many in one run.
struct NightOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      A FITS image to scan, instead of a simulated sky; or many, such as night/*.fits, in one run, of each file \
      every image. --catalog 'out/{name}.csv' then names a catalogue for each.
      """, valueName: "file"), completion: .file())
  var image: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      A list of images, one in a line; after a tab, a configuration file of SExtractor's for that image alone. - is \
      standard input.
      """, valueName: "list"), completion: .file())
  var images: String?

  @Option(
    help: ArgumentHelp(
      """
      Scan the FITS images of this folder, and those that come into it, each once and when it is complete, until \
      --until-idle or Ctrl-C.
      """, valueName: "dir"), completion: .directory)
  var follow: String?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      "End when nothing has come into the followed folder, or changed there, for this long. (default: never)"
    ),
    transform: TimeOption.seconds)
  var untilIdle: Double?

  @Option(
    help: ArgumentHelp(
      "The file for a table with a row for each image: sources, seconds, systems, failures.",
      valueName: "file.csv"), completion: .file())
  var summary: String?

  /// The list, if it is a file.
  var listFile: String? { images == "-" ? nil : images }

  /// Whether no image is named.
  var isEmpty: Bool { image.isEmpty && images == nil && follow == nil }

  /// Whether more than one file may be scanned.
  var areSeveral: Bool { image.count > 1 || images != nil || follow != nil }

  /// Whether the run is one of many images, even if it names only one.
  func isNight(_ places: CatalogOptions) -> Bool {
    areSeveral || summary != nil || places.hasPatterns
  }

  func validate() throws {
    if images == "" { throw ValidationError("--images is empty, but a list's name is needed") }
    if summary != nil, isEmpty {
      throw ValidationError(
        "--summary is about images: give --image FILE…, --images LIST or --follow DIR too")
    }
    if follow == "" { throw ValidationError("--follow is empty, but a folder's name is needed") }
    try Check.seconds("until-idle", untilIdle, atMost: 30 * Hello.maximumTimeoutSeconds)
    if untilIdle != nil, follow == nil {
      throw ValidationError("--until-idle is about a followed folder: give --follow DIR too")
    }
  }
}
