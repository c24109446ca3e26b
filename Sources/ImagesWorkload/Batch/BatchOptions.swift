import ArgumentParser
import SkyNetCommand
import SkyScan

/// Which step of a batch scans an image's sectors, and which sectors.
struct BatchOptions: ParsableArguments {
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

  /// The chosen sectors; `nil` if none are chosen.
  var choice: SectorChoice? {
    get throws {
      if let sectors { return try SectorChoice(sectors: sectors) }
      return try share.map { try SectorChoice(share: $0) }
    }
  }

  func validate() throws { _ = try choice }
}

/// A step of a batch that an engagement does.
struct EngageBatchOptions: ParsableArguments {
  @OptionGroup var step: BatchOptions

  @Option(
    help: ArgumentHelp(
      "The file to write the sectors' JSON to, for `skynet merge`, complete or not at all.",
      valueName: "file"), completion: .file())
  var output: String?

  var isGiven: Bool {
    step.background || output != nil
      || [step.backgroundFile, step.share, step.sectors].contains { $0 != nil }
  }

  /// The chosen sectors; all of them if none are chosen.
  var choice: SectorChoice { get throws { try step.choice ?? .share(0, of: 1) } }

  func validate() throws {
    guard isGiven else { return }
    if step.sectors != nil, step.share != nil {
      throw ValidationError("--sectors and --share both choose sectors: give one")
    }
    guard step.background != (step.backgroundFile != nil) else {
      throw ValidationError(
        step.background
          ? "--background makes sectors' backgrounds, and --background-file FILE is made of all of them: give one"
          : "\(step.share != nil ? "--share" : step.sectors != nil ? "--sectors" : "--output") is about a batch, "
            + "whose steps `skynet scan --help` lists: give --background for its first step, or "
            + "--background-file FILE for its third")
    }
    guard let output, !output.isEmpty else {
      throw ValidationError(
        "--\(step.background ? "background" : "background-file") makes JSON for `skynet merge`: give "
          + "--output FILE")
    }
  }

  /// Checks what a batch's step has nothing to do with.
  ///
  /// - Throws: `ValidationError`.
  func check(_ images: Images) throws {
    if images.named.areSeveral || images.night.summary != nil {
      throw ValidationError(
        "a batch's step scans one image: leave --images, --follow, --summary and further images out"
      )
    }
    if images.places.isGiven {
      throw ValidationError(
        "`skynet merge` makes a batch's catalogue and picture: leave --catalog and --picture out")
    }
    try images.scan.checkBackground(step.backgroundFile)
  }
}
