import ArgumentParser

/// The input of `engage`: a simulated sky or an image, with its options.
enum EngageInput {
  case simulated(SimulationOptions)
  case image(String, ImageOptions, EngageCatalogOptions)
}

/// The image that `engage` scans, and how. Without an image it scans a simulated sky.
struct EngageImageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A FITS image to scan, instead of a simulated sky.", valueName: "file"))
  var image: String?

  @OptionGroup var scan: ImageOptions

  @OptionGroup var roots: DataRootOptions

  func validate() throws {
    _ = try image.map { try ImageName($0).choosing(scan.extension) }
  }

  /// The files that are read, with the options that name them.
  var files: [Check.File] { [("image", image.map { ImageName($0).path })] + scan.files }
}

/// The files that get the sources of an engagement's image, and whether they get partial ones.
struct EngageCatalogOptions: ParsableArguments {
  @OptionGroup var places: CatalogOptions

  @Flag(
    help: """
      Write the catalogue and the picture even if not every sector was scanned, marked as partial \
      where the format allows it. Without this option an incomplete run leaves those files unchanged.
      """)
  var partial = false
}
