import ArgumentParser

/// The input of `engage`: a simulated sky or an image, with its options.
enum EngageInput {
  case simulated(SimulationOptions)
  case image(String, ImageOptions, EngageCatalogOptions)
  case night(NightOptions, ImageOptions, EngageCatalogOptions)
  /// A step of a batch over an image, and the file that gets its documents.
  case batch(String, ImageOptions, EngageBatchOptions, output: String)
}

/// The image or images that `engage` scans, and how. Without any it scans a simulated sky.
struct EngageImageOptions: ParsableArguments {
  @OptionGroup var night: NightOptions

  @OptionGroup var scan: ImageOptions

  @OptionGroup var roots: DataRootOptions

  func validate() throws {
    for image in night.image { _ = try ImageName(image).choosing(scan.extension) }
  }

  /// The files that are read, with the options that name them.
  var files: [Check.File] {
    night.image.map { ("image", ImageName($0).path) } + [("images", night.listFile)] + scan.files
  }
}

/// The files that get the sources of an engagement's image, and whether they get partial ones.
struct EngageCatalogOptions: ParsableArguments {
  @OptionGroup var places: CatalogOptions

  @Flag(
    help: """
      Write the catalogue and the picture, or a batch's sectors, even if not every sector was scanned, \
      marked as partial where the format allows it. Without this option an incomplete run leaves those files unchanged.
      """)
  var partial = false
}
