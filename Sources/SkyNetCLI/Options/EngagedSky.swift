import ArgumentParser

/// What an engagement scans, with the options of its kind.
enum EngagedSky {
  case simulated(SimulationOptions)
  case image(String, ImageOptions, EngagedCatalogOptions)
}

/// The image that `engage` scans, and how; without one it scans a simulated sky.
struct EngagedImageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A FITS image to scan, instead of a simulated sky.", valueName: "file"))
  var image: String?

  @OptionGroup var scan: ImageOptions

  func validate() throws {
    _ = try image.map { try ImageName($0).choosing(scan.extension) }
  }

  /// The files that are read, and the flags that name them.
  var files: [Check.File] { [("image", image.map { ImageName($0).path })] + scan.files }
}

/// Where the sources of an engagement's image go, and when.
struct EngagedCatalogOptions: ParsableArguments {
  @OptionGroup var places: CatalogOptions

  @Flag(
    help: """
      Write the catalogue and the picture also if not every sector was scanned, marked as partial \
      where their format can. Without, such a run leaves those files as they are.
      """)
  var partial = false
}
