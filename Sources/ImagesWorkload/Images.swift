package import ArgumentParser
import Foundation
import SkyCatalog
import SkyFITS
import SkyFiles
package import SkyNetCommand
package import SkyNetCore
import SkyScan
import Synchronization

/// The sources in images: in one or in many.
package struct Images: ShownWorkload {
  package init() {}

  package typealias Choice = NamedImages
  package typealias Offering = ImagesOffering
  package typealias Replaying = ImagesReplay

  package static var name: String { "images" }
  package static var words: RunWords {
    RunWords(part: NightJob.part, point: .init("source", "sources"))
  }
  package static var choosers: [String] { ["--image", "--images", "--follow"] }
  package static var invitation: String { "--image FILE" }
  package static var purpose: String { "the scan of an image" }
  package static var discussion: String? {
    """
    Of many images, a command that is stopped finishes those that end within 10 s.
    """
  }
  package static var examples: [String] {
    [
      "--image sky.fits --catalog sources.csv --picture sky.png",
      "--image sky.fits --catalog sources.fits --journal run.sqlite",
      "--image night/*.fits --catalog 'out/{name}.csv' --journal night.sqlite",
    ]
  }
  package static var scans: [any Scan] { [SourceScan()] }
  package static var commands: [any ParsableCommand.Type] {
    [
      ScanCommand.self, MergeCommand.self, SexCommand.self, MakeSkyCommand.self,
      ReaderCheckCommand.self, SExtractorManualCommand.self,
    ]
  }

  package static func begin(_ arguments: [String]) {
    NamedPipe.whenWaiting.withLock {
      $0 = { path in
        Console.standardError.line("waiting for the program at the other end of the pipe \(path)")
        Console.standardError.flush()
      }
    }
    ImageReader.startIfNeeded(by: arguments)
  }

  @OptionGroup(title: "Image scan") var named: NamedImages
  @OptionGroup(title: "Image scan") var night: NightOptions
  @OptionGroup(title: "Image scan") var table: NightTableOption
  @OptionGroup(title: "Image scan") var scan: ImageOptions
  @OptionGroup(title: "Image scan") var roots: DataRootOptions
  @OptionGroup(title: "Catalogue") var places: CatalogOptions
  @OptionGroup(title: "Catalogue") var incomplete: PartialOption

  package var readFiles: [FileOption] {
    named.image.map { ("image", ImageName($0).path) } + [("images", named.listFile)]
      + scan.files
  }

  package var writtenFiles: [FileOption] {
    [("summary", table.summary)] + places.files
  }

  /// Whether the run is one of many images, even if it names only one.
  package var isNight: Bool {
    named.areSeveral || table.summary != nil || places.hasPatterns
  }

  package func validate() throws {
    for image in named.image { _ = try ImageName(image).choosing(scan.extension) }
    // A list may name configurations.
    if scan.config == nil, named.images == nil { try places.checkEndings() }
    if night.untilIdle != nil, named.follow == nil {
      throw ValidationError("--until-idle is about a followed folder: give --follow DIR too")
    }
  }

  package func check(beside options: RunOptions) throws {
    // A pattern that is none is an error of the command line, too.
    if isNight, places.isGiven {
      _ = try NightPatterns(places, weight: scan.weight, several: named.areSeveral)
    }
    if places.catalog.isEmpty, places.sextractor == nil { try checkMany() }
  }

  /// Catalogues of several images without a file would go to standard output, mixed.
  private func checkMany() throws {
    let fault: String? =
      if named.follow != nil {
        "a followed folder's images cannot share standard output"
      } else if named.images != nil {
        "a list of images cannot share standard output"
      } else if named.image.count > 1 {
        "\(named.image.count) images cannot share standard output"
      } else if table.summary != nil {
        "with --summary, a catalogue needs a file"
      } else {
        nil
      }
    guard let fault else { return }
    throw ValidationError(
      "\(fault): give --catalog 'FOLDER/{name}.csv', where {name} is each image's name")
  }

  /// Checks what the command line's terminal and the folders tell, beside the command line itself.
  ///
  /// - Throws: `ValidationError`; ``NoMatch``.
  private func checkSurroundings() throws {
    for text in named.image { try NoMatch.check(ImageName(text).path) }
    guard places.sextractor == nil, StandardOutput.isTerminal else { return }
    if places.catalog.isEmpty || places.catalog.contains("-") {
      throw ValidationError(
        "a catalogue would fill the terminal: give --catalog sources.csv, or send standard output to a "
          + "file or a pipe")
    }
    if places.picture == "-" {
      throw ValidationError(
        "a picture would fill the terminal: give --picture sky.png, or send standard output to a file or a pipe"
      )
    }
  }

  package func prepare(_ options: RunOptions) async throws -> any WorkloadRun {
    try checkSurroundings()
    var images = self
    images.scan.namesFormat = places.arePrinted
    guard !isNight else { return try NightRun(images, options) }
    do {
      return try await ImageRun(images, options)
    } catch let error as FITSError
      where error.code == .severalImages
      && (places.sextractor != nil || places.arePrinted)
      && ExactText(error.path) == ExactText(ImageName(named.image[0]).path)
    {
      // As in SExtractor, the catalogue has all images of the file.
      return try NightRun(images, options)
    }
  }
}

/// What a node that scans images reads itself, and what it keeps.
package struct ImagesOffering: NodeOffering {
  package init() {}

  package static var examples: [String] { ["--data /data/night"] }

  package var arguments: [String] {
    data.data.flatMap { ["--data", URL(fileURLWithPath: $0).path] }
      + (caching.pixelCache.map { ["--pixel-cache", "\($0)"] } ?? [])
  }

  @OptionGroup var data: DataOptions
  @OptionGroup var caching: CacheOption

  package func offer(withholding files: [String]) throws -> NodeOffer {
    let cache = caching.cache
    let access = try data.access(except: files)
    var offer = NodeOffer(
      scans: [SourceScan(data: access, cache: cache)],
      dropUnused: { cache?.dropIdle() == true }, freeSpare: { PixelRoom.freeSpare() })
    offer.figures = { ImageFigures.data(readBytes: access.readBytes, cache: cache?.figures) }
    return offer
  }
}
