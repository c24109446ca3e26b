import SkyCatalog
import SkyFiles
import SkyNetCommand

/// The names of the files that are read and written for each image of a night.
struct NightPatterns: Sendable {
  /// The catalogues whose endings name their formats.
  private let catalogs: [OutputPattern]
  /// The catalogues whose format a configuration names.
  private let printed: [OutputPattern]
  /// The catalogue of `skynet sex`; `nil` for other commands.
  private let sextractor: SExtractorCatalog?
  private let picture: OutputPattern?
  private let weight: OutputPattern?

  /// - Parameter several: whether there may be several images.
  /// - Throws: `ValidationError` for a pattern that is none, or that gives several images one name.
  init(_ places: CatalogOptions, weight: String?, several: Bool) throws {
    func patterns(_ isPrinted: Bool) throws -> [OutputPattern] {
      try places.catalog.filter { CatalogOptions.isPrinted($0) == isPrinted }
        .map { try OutputPattern($0, flag: "catalog") }
    }
    (catalogs, printed) = (try patterns(false), try patterns(true))
    sextractor = places.sextractor
    picture = try places.picture.map { try OutputPattern($0, flag: "picture") }
    self.weight = try weight.map { try OutputPattern($0, flag: "weight") }
    guard several else { return }
    for catalog in catalogs + printed { try catalog.checkForSeveralImages(flag: "catalog") }
    try picture?.checkForSeveralImages(flag: "picture")
  }

  /// Whether each output of several images of one file has a name of its own, but for those that have all of them.
  var tellExtensionsApart: Bool {
    catalogs.allSatisfy { $0.has(.ext) } && picture?.has(.ext) ?? true
  }

  func catalogs(for image: NightEntry) -> [String] {
    catalogs.map { $0.path(for: image.name.path, label: image.label) }
  }

  /// Whether the catalogue goes to standard output, because no option names another place.
  var useStandardOutput: Bool { catalogs.isEmpty && printed.isEmpty && sextractor == nil }

  /// The outputs of a file that have all of its images; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - file: the file as it is named.
  ///   - imageCount: the number of its images.
  ///   - format: the format that its configuration names; `nil` if there is none.
  /// - Throws: `OutputFileError` if nothing names a format.
  func wholeFile(
    _ file: NightEntry, imageCount: Int, _ format: SExtractorFormat?
  ) throws -> FileOutputs? {
    FileOutputs(
      try (sextractor.flatMap(PrintedOutput.init).map { [$0] } ?? [])
        + printed.filter { !$0.has(.ext) }
        .map { try PrintedOutput(unchecked: $0.path(for: file.name.path), format) },
      (sextractor?.checkImages ?? []).map(CheckImageOutput.init(unchecked:)),
      imageCount: imageCount)
  }

  /// The outputs of an image alone, in a format that its configuration names.
  ///
  /// - Throws: `OutputFileError` if nothing names a format.
  func printedOutputs(
    for image: NightEntry, _ format: SExtractorFormat?
  ) throws -> [PrintedOutput] {
    try printed.filter { $0.has(.ext) }
      .map {
        try PrintedOutput(
          unchecked: $0.path(for: image.name.path, label: image.label), format)
      }
  }

  func picture(for image: NightEntry) -> String? {
    picture?.path(for: image.name.path, label: image.label)
  }

  func weight(for image: NightEntry) -> String? {
    weight?.path(for: image.name.path, label: image.label)
  }

  /// The outputs of an image, with their options.
  func outputs(for image: NightEntry) -> [FileOption] {
    ownOutputs(for: image) + (image.label == nil ? [] : wholeFileNames(of: image))
  }

  /// The outputs of an image that no other image of its file has.
  func ownOutputs(for image: NightEntry) -> [FileOption] {
    let path = image.name.path
    let own = printed.filter { $0.has(.ext) }.map { $0.path(for: path, label: image.label) }
    return (catalogs(for: image) + own).map { ("catalog", $0) }
      + [("picture", picture(for: image))]
      + (image.label == nil ? wholeFileNames(of: image) : [])
  }

  /// Why an image cannot be scanned whose name is not UTF-8; `nil` of any other, and where no output has the name.
  func oddName(of image: NightEntry) -> String? {
    guard OddName.isOne(image.name.path),
      outputs(for: image).contains(where: { $0.path.map(OddName.isOne) ?? false })
    else { return nil }
    return "\(OddName.fault): rename it"
  }

  private func wholeFileNames(of image: NightEntry) -> [FileOption] {
    printed.filter { !$0.has(.ext) }.map { ("catalog", $0.path(for: image.name.path)) }
      + [("catalog", sextractor?.path)] + (sextractor?.checkFiles ?? [])
  }
}
