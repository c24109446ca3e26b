import ArgumentParser
import SkyCatalog
import SkyDetection
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyScan

struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Combine the outputs of `skynet scan` for an image's sectors.",
    discussion: """
      With --background it makes the image's background from the sectors' backgrounds; with \
      --background-file it makes the catalogue from the sectors' sources, and itself scans the \
      components that lie across seams. Each file has the documents of one sector or more, one on a \
      line; every sector is needed once. See `skynet scan --help` for all four steps.
      """)

  @Option(help: ArgumentHelp("The FITS image.", valueName: "file"), completion: .file())
  var image: String

  @Flag(help: "Make the background file.")
  var background = false

  @Option(
    help: ArgumentHelp("Make the catalogue over this background.", valueName: "file"),
    completion: .file())
  var backgroundFile: String?

  @Option(
    help: ArgumentHelp(
      "The file to write the background to, complete or not at all. (default: standard output)",
      valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup(title: "Image scan") var imaging: ImageOptions
  @OptionGroup(title: "Catalogue") var cataloguing: CatalogOptions

  @Argument(
    help: ArgumentHelp(
      "The outputs of `skynet scan`, or patterns of their names such as 'sources-*.jsonl'.",
      valueName: "file"), completion: .file())
  var files: [String]

  func validate() throws {
    let name = try ImageName(image).choosing(imaging.extension)
    guard background != (backgroundFile != nil) else {
      throw ValidationError("give one of --background and --background-file FILE")
    }
    if background, cataloguing.isGiven {
      throw ValidationError(
        "--catalog and --picture show sources, and --background finds none: leave out one")
    }
    if !background, output != nil {
      throw ValidationError("--output is for the background: give --catalog FILE")
    }
    try cataloguing.checkEndings()
    try imaging.checkBackground(backgroundFile)
    let read =
      [("image", name.path), ("background-file", backgroundFile)] + imaging.files
      + files.flatMap(FilePattern.files).map { ("file", $0) }
    try Check.areDistinct(written, from: read)
  }

  private var written: [FileOption] {
    background ? [("output", output ?? "-")] : cataloguing.files
  }

  func run() async throws {
    do {
      // The outputs are checked before the work.
      let output = try DocumentOutput(file: output)
      var catalog = try CatalogOutput(cataloguing)
      let (scan, background, inputs) = try await BatchScan.opened(
        image, imaging, backgroundFile, writing: written, reports: true)
      var documents = DocumentFiles(files.flatMap(FilePattern.files), most: scan.mostDocumentBytes)
      let written: [String]
      if let background {
        let columns = try await columns(of: background.settings, scan.image)
        try catalog.check(columns)
        let job = try await scan.catalog(from: { try documents.next() }, over: background)
        catalog.inputs = inputs + documents.opened
        let systems = (0..<job.sectorCount).map { ($0, "batch") }
        written = try await catalog.write(
          job, columns: columns,
          systems: Dictionary(uniqueKeysWithValues: systems)
        ).outputs.lines
      } else {
        let background = try scan.background { try documents.next() }
        try (inputs + documents.opened).checkUnchanged()
        try await output.write { append in try append(background) }
        written = []
      }
      let console = Console.standardError
      for line in written { console.line(line) }
      // A merge of fewer has thrown.
      console.line("\(scan.sectorCount) of \(scan.sectorCount) sectors merged")
      console.flush()
    } catch {
      throw fail(error)
    }
  }

  /// The columns that the user asked for, or else the usual ones that were measured, as far as the
  /// image can have them.
  private func columns(
    of settings: SourceScan.Settings, _ image: FITSImage
  ) async throws -> [Column] {
    let chosen = try imaging.chosenColumns
    if let missing = chosen?.first(where: { !settings.detection.measures($0) }) {
      throw InvalidScan(
        "\(missing.rawValue) was not measured; name it in --columns where the background file is made"
      )
    }
    if let column = chosen?.first(where: \.needsNetwork) {
      throw InvalidScan(
        "\(column.rawValue) needs a network of a configuration, which merge does not read; leave it out of "
          + "--columns")
    }
    var warnings: [String] = []
    let columns = try await image.served(
      chosen ?? Column.usual.filter(settings.detection.measures), CatalogSettings(),
      isAsked: chosen != nil, &warnings)
    try StrictError.report(warnings, isStrict: imaging.strict)
    return columns
  }
}
