import ArgumentParser

/// The images that `engage` scans: one, or many in one run.
struct NightOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      A FITS image to scan, instead of a simulated sky; or many, such as night/*.fits, in one run, of each file \
      every image. --catalog 'out/{name}.csv' then names a catalogue for each.
      """, valueName: "file"))
  var image: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      A list of images, one in a line; after a tab, a configuration file of SExtractor's for that image alone. - is \
      standard input.
      """, valueName: "list"))
  var images: String?

  @Option(
    help: ArgumentHelp(
      "The file for a table with a row for each image: sources, seconds, systems, failures.",
      valueName: "file.csv"))
  var summary: String?

  /// The list, if it is a file.
  var listFile: String? { images == "-" ? nil : images }

  /// Whether no image is named.
  var isEmpty: Bool { image.isEmpty && images == nil }

  /// Whether the run is one of many images, even if it names only one.
  func isNight(_ places: CatalogOptions) -> Bool {
    image.count > 1 || images != nil || summary != nil || places.hasPatterns
  }

  func validate() throws {
    if images == "" { throw ValidationError("--images is empty, but a list's name is needed") }
    if summary != nil, isEmpty {
      throw ValidationError("--summary is about images: give --image FILE… or --images LIST too")
    }
  }
}
