import ArgumentParser
import SkyScan

struct ScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Scan one sector of an image in this process, for a batch system.",
    discussion: """
      There are four steps. The first and the third run as one process for each sector, in any order:

        skynet scan --image F --background --sector N > background-N.json
        skynet merge --image F --background background-*.json > background.json
        skynet scan --image F --background-file background.json --sector N > sources-N.json
        skynet merge --image F --background-file background.json --catalog C sources-*.json

      The catalogue is the same, to the byte, as that of `skynet engage --image F --catalog C`. \
      `skynet scan --image F --count` prints how many sectors there are; their numbers begin at 0. Give \
      --mesh, --sector-size and --weight in the first step and the second, all other settings in the \
      second: its background file passes them on to the steps that follow.
      """)

  @Option(help: ArgumentHelp("The FITS image.", valueName: "file"), completion: .file())
  var image: String

  @Option(parsing: .unconditional, help: "The number of the sector to scan, from 0.")
  var sector: Int?

  @Flag(help: "Print how many sectors there are.")
  var count = false

  @Flag(help: "Find the sector's background.")
  var background = false

  @Option(
    help: ArgumentHelp("Find the sector's sources over this background.", valueName: "file"),
    completion: .file())
  var backgroundFile: String?

  @Option(
    help: ArgumentHelp(
      "The file to write the JSON to, complete or not at all. (default: standard output)",
      valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup(title: "Image scan") var imaging: ImageOptions

  func validate() throws {
    let name = try ImageName(image).choosing(imaging.extension)
    guard [background, backgroundFile != nil, count].count(where: { $0 }) == 1 else {
      throw ValidationError("give one of --background, --background-file FILE and --count")
    }
    if sector == nil, !count { throw ValidationError("--sector is missing: give a number from 0") }
    if sector != nil, count {
      throw ValidationError("--count counts all sectors: leave --sector out")
    }
    if count, output != nil {
      throw ValidationError(
        "--output is for a sector's JSON, and --count is printed: leave one out")
    }
    try Check.range("sector", sector, 0...Int.max)
    try imaging.checkBackground(backgroundFile)
    try Check.areDistinct(
      [("output", output)],
      from: [("image", name.path), ("background-file", backgroundFile)] + imaging.files)
  }

  func run() async throws {
    do {
      let output = try DocumentOutput(file: output)
      let (scan, background) = try await BatchScan.opened(
        image, imaging, backgroundFile, writing: [("output", self.output)])
      guard let sector else {
        return try StandardOutput.write(line: "\(scan.sectorCount)")
      }
      if let background {
        try output.write(try await scan.sources(ofSector: sector, over: background))
      } else {
        try output.write(try await scan.background(ofSector: sector))
      }
    } catch {
      throw fail(error)
    }
  }
}
