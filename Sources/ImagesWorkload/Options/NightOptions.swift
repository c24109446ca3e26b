package import ArgumentParser
import SkyNetCommand
import SkyNetCore

/// The images that a command line names, which chooses their scan.
package struct NamedImages: ParsableArguments {
  package init() {}

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      A FITS image to scan; or many, such as night/*.fits, in one run, of each file \
      every image. The pattern may be quoted, where no shell replaces it. --catalog 'out/{name}.csv' \
      then names a catalogue for each.
      """, valueName: "file"), completion: .file())
  package var image: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      A list of images, one in a line; after a tab, a configuration file of SExtractor's for that image alone. - is \
      standard input.
      """, valueName: "list"), completion: .file())
  package var images: String?

  @Option(
    help: ArgumentHelp(
      """
      Scan the FITS images of this folder, and those that come into it, each once and when it is complete, until \
      --until-idle or Ctrl-C.
      """, valueName: "dir"), completion: .directory)
  package var follow: String?

  /// The list, if it is a file.
  package var listFile: String? { images == "-" ? nil : images }

  /// Whether more than one file may be scanned.
  package var areSeveral: Bool { image.count > 1 || images != nil || follow != nil }

  package mutating func validate() throws {
    image = image.flatMap(ImageName.matches)
    if images == "" { throw ValidationError("--images is empty, but a list's name is needed") }
    if follow == "" { throw ValidationError("--follow is empty, but a folder's name is needed") }
  }
}

/// A run over many images.
package struct NightOptions: ParsableArguments {
  package init() {}

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      "End when nothing has come into the followed folder, or changed there, for this long. (default: never)"
    ),
    transform: TimeOption.seconds)
  package var untilIdle: Double?

  package func validate() throws {
    try Check.seconds("until-idle", untilIdle, atMost: 30 * Hello.maximumTimeoutSeconds)
  }
}

/// The table of a run over many images. Runs of programs have an option of the same name.
package struct NightTableOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The file for a table with a row for each image: sources, seconds, systems, failures.",
      valueName: "file.csv"), completion: .file())
  package var summary: String?
}
