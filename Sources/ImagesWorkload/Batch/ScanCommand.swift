import ArgumentParser
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyScan

struct ScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Scan sectors of an image in this process, for a batch system.",
    discussion: """
      There are four steps. The first and the third run as many processes, in any order. Each of them \
      scans one share of the sectors, I/N with I from 0 to N-1:

        skynet scan --image F --background --share I/N --output background-I.jsonl
        skynet merge --image F --background --output background.json background-*.jsonl
        skynet scan --image F --background-file background.json --share I/N --output sources-I.jsonl
        skynet merge --image F --background-file background.json --catalog C sources-*.jsonl

      The catalogue is the same, to the byte, as that of `skynet engage --image F --catalog C`. \
      Instead of a share, --sectors names sectors, and --sector one; `skynet scan --image F --count` \
      prints how many there are, and their numbers begin at 0. An output has one line of JSON for each \
      sector. Give --mesh, --sector-size and --weight in the first step and the second, all other \
      settings in the second: its background file passes them on to the steps that follow.
      """)

  @Option(help: ArgumentHelp("The FITS image.", valueName: "file"), completion: .file())
  var image: String

  @Option(parsing: .unconditional, help: "The number of the sector to scan, from 0.")
  var sector: Int?

  @Flag(help: "Find the sectors' parts of the background.")
  var background = false

  @Option(
    help: ArgumentHelp("Find the sectors' sources over this background.", valueName: "file"),
    completion: .file())
  var backgroundFile: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Scan one of N shares of all sectors, I from 0 to N-1. N may be larger than the number of sectors: \
      then some shares are empty.
      """, valueName: "I/N"))
  var share: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The numbers of the sectors to scan, as in 0-9,20.", valueName: "list"))
  var sectors: String?

  @Flag(help: "Print how many sectors there are.")
  var count = false

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
    let given = [
      ("sector", sector != nil), ("sectors", sectors != nil), ("share", share != nil),
    ]
    .filter(\.1).map { "--\($0.0)" }
    if given.isEmpty, !count {
      throw ValidationError(
        "--sector is missing: give a number from 0, or --sectors LIST or --share I/N")
    }
    if given.count > 1 {
      throw ValidationError("\(given.joined(separator: " and ")) both choose sectors: give one")
    }
    if let option = given.first, count {
      throw ValidationError("--count counts all sectors: leave \(option) out")
    }
    if count, output != nil {
      throw ValidationError(
        "--output is for a sector's JSON, and --count is printed: leave one out")
    }
    try Check.range("sector", sector, 0...Int.max - 1)
    _ = try choice
    try imaging.checkBackground(backgroundFile)
    try Check.areDistinct(
      [("output", output)],
      from: [("image", name.path), ("background-file", backgroundFile)] + imaging.files)
  }

  func run() async throws {
    do {
      let output = try DocumentOutput(file: output)
      let (scan, background, inputs) = try await BatchScan.opened(
        image, imaging, backgroundFile, writing: [("output", self.output)])
      guard let choice = try choice else {
        return try StandardOutput.write(line: "\(scan.sectorCount)")
      }
      try await output.write { append in
        try await scan.scan(choice.sectors(of: scan.sectorCount), over: background, append)
        try inputs.checkUnchanged()
      }
    } catch {
      throw fail(error)
    }
  }

  /// The sectors to scan; `nil` if they are only counted.
  private var choice: SectorChoice? {
    get throws {
      if let sectors { return try SectorChoice(sectors: sectors) }
      if let share { return try SectorChoice(share: share) }
      return sector.map { .ranges([$0..<$0 + 1]) }
    }
  }
}
