import Foundation
import Logging
import SkyCatalog
import SkyDetection
import SkyFITS
import SkyNetCommand
import SkyScan

/// Warnings that `--strict` makes an error.
struct StrictError: Error, CustomStringConvertible {
  let warnings: [String]

  var description: String {
    "\(warnings.joined(separator: "; ")); --strict allows no such catalogue"
  }

  /// Prints warnings about a catalogue's contents.
  ///
  /// - Throws: ``StrictError`` if there are any and the user allows none.
  static func report(_ warnings: [String], isStrict: Bool) throws(StrictError) {
    guard !warnings.isEmpty else { return }
    if isStrict { throw StrictError(warnings: warnings) }
    for warning in warnings { Console.standardError.line(warning, level: .warning) }
  }
}

extension ImagePlan {
  /// Says what is wrong with the catalogue's contents, and what is unusual about the image. Reads
  /// the whole image, and the whole weight map, if they have checksums.
  ///
  /// - Parameter notesHeader: whether to say that there is a header file, and that it is not used.
  /// - Throws: ``StrictError`` if there are warnings and the options allow none; `FITSError`.
  func report(_ options: ImageOptions, notesHeader: Bool = true) async throws {
    for note in [image.cubeNote, weights?.cubeNote, notesHeader ? unusedHeaderNote : nil]
      + (saysLess ? [] : keyNotes)
    {
      if let note { Console.standardError.line("note: \(note)") }
    }
    try StrictError.report(
      try await warnings
        + (saysLess ? [] : image.sumWarnings + (weights?.sumWarnings ?? [])),
      isStrict: options.strict)
  }

  /// What a batch's background file keeps of the header file; `nil` if there is none.
  var headerFile: BackgroundDocument.HeaderFile? {
    guard let headerSuffix, let file = image.headerFile else { return nil }
    return BackgroundDocument.HeaderFile(suffix: headerSuffix, hash: file.hash)
  }

  /// Says that there is a header file beside the image, which is used only with a configuration.
  var unusedHeaderNote: String? {
    guard headerSuffix == nil else { return nil }
    let path = HeaderFile.path(beside: image.path, suffix: SExtractorConfiguration().headerSuffix)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return "\(path) is not used; with --config FILE its cards replace those of the image's header"
  }
}

extension FITSImage {
  /// The image's name in messages.
  private var name: String { isOneOfSeveral ? "\(path)[\(extensionNumber)]" : path }

  fileprivate var cubeNote: String? {
    planeCount == 1
      ? nil
      : "\(name): of its \(planeCount) planes of \(width) × \(height) pixels the first one is read"
  }

  /// What is wrong with the image's checksums. Reads the whole image if it has any.
  ///
  /// - Throws: `FITSError`.
  var sumWarnings: [String] {
    get async throws { try await checkSums().fault.map { ["\(name): \($0)"] } ?? [] }
  }

  /// What is wrong with the header, and with the file whose cards replace some of it.
  func headerWarnings(
    _ options: ImageOptions, _ files: SExtractorFiles?
  ) -> [String] {
    var warnings: [String] = []
    if isBeforeDamage {
      warnings.append(
        "\(name): what is behind this image cannot be read, and images there are not scanned; fetch the file "
          + "again, or check it with fitsverify")
    }
    if isBeforeOtherBytes {
      warnings.append(
        "\(path): the bytes behind its last extension are no extension; they are passed over, so check it with "
          + "fitsverify if it should have more images")
    }
    if isBesideTextTable, options.sextractor != nil {
      warnings.append(
        "\(path): its table of text (XTENSION TABLE) is left out, and has no EXT_NUMBER; SExtractor takes it for an "
          + "image")
    }
    if let headerFile, !hasReplacingCards {
      warnings.append("\(headerFile.path) has no cards for \(name), whose own header is used")
    }
    let keys = headerKeys(options, files)
    let found = keys.compactMap { keyed($0.key) }
    for card in found where card.number == nil {
      warnings.append("\(name): its \(card.keyword) is not a number, and counts as absent")
    }
    let read = found.map(\.keyword)
    if let headerFile, let cards = listed(doubledReplacingCards(named: read)) {
      warnings.append(
        "\(headerFile.path): for \(name) it has several cards \(cards), of which the last one counts, as for "
          + "SExtractor")
    }
    return warnings + unitWarnings(doubledCards(named: read, hasCoordinates: true))
  }

  /// The keywords of doubled cards and their values, that which counts first; `nil` if there are none.
  private func listed(_ doubled: [DoubledCard]) -> String? {
    guard !doubled.isEmpty else { return nil }
    let most = 10
    let cards = doubled.prefix(most).map { "\($0.keyword) (\($0.value) and \($0.other))" }
    let more = doubled.count > most ? " and \(doubled.count - most) more" : ""
    return cards.joined(separator: ", ") + more
  }

  /// What is wrong with the pixels' unit of a weight map.
  var weightWarnings: [String] { unitWarnings(doubledCards()) }

  private func unitWarnings(_ doubled: [DoubledCard]) -> [String] {
    var warnings: [String] = []
    if isUnfilled {
      warnings.append(
        "\(name): the file ends within a block of 2880 bytes; all pixels of the image are there, and are read"
      )
    }
    if let cards = listed(doubled) {
      warnings.append(
        "\(name): its header has several cards \(cards), of which the first one counts, as for SExtractor"
      )
    }
    return warnings
  }

  /// The keys by which the image's header is asked, and the keywords of the configuration that have them.
  private func headerKeys(
    _ options: ImageOptions, _ files: SExtractorFiles?
  ) -> [(keyword: String, key: String)] {
    guard let configuration = files?.configuration else { return [] }
    return (options.gain == nil ? [("GAIN_KEY", configuration.gainKey)] : [])
      + (options.saturation == nil ? [("SATUR_KEY", configuration.saturationKey)] : [])
  }

  /// Says which cards of the header were taken though their names are not the keys, but begin with them.
  func keyNotes(_ options: ImageOptions, _ files: SExtractorFiles?) -> [String] {
    headerKeys(options, files).compactMap { keyword, key in
      guard let card = keyed(key), card.keyword != key, let number = card.number else { return nil }
      return
        "\(name): \(keyword) \(key): the header's \(card.keyword) is taken, \(number), the first card whose name "
        + "begins so, as for SExtractor"
    }
  }

  /// The columns that the image can have: without those of the sky if its header does not tell its
  /// place there. SExtractor's formats have all columns, and its numbers where there are none.
  ///
  /// - Parameters:
  ///   - settings: the catalogue's settings.
  ///   - isAsked: whether the user asked for the columns.
  ///   - keepsAll: whether the catalogue is in a format of SExtractor.
  ///   - warnings: gets one for columns that are left out or have no numbers, if the user asked for them.
  /// - Throws: `InvalidScan` if no column is left; `FITSError`.
  func served(
    _ columns: [Column], _ settings: CatalogSettings, isAsked: Bool, keepsAll: Bool = false,
    _ warnings: inout [String]
  ) async throws -> [Column] {
    let inSky = columns.filter { $0.isInSky(settings) }
    guard !inSky.isEmpty, let fault = try await skyFault else { return columns }
    let names = inSky.map(\.rawValue).joined(separator: " and ")
    guard !keepsAll else {
      warnings.append(
        "\(name): no sky positions: \(fault); SExtractor's numbers for none in \(names)")
      return columns
    }
    let served = columns.filter { !inSky.contains($0) }
    guard !served.isEmpty else {
      throw InvalidScan("\(name): no sky positions: \(fault); ask for other columns than \(names)")
    }
    if isAsked { warnings.append("\(name): no sky positions: \(fault); \(names) left out") }
    return served
  }
}

extension SExtractorFiles {
  /// What the list of columns asks for and no image gets.
  func warnings(_ options: ImageOptions) throws -> [String] {
    var warnings = configuration.warnings
    if options.sextractor != nil, options.kernel == nil, lacksKernel {
      warnings.append("default.conv not found, using its usual kernel")
    }
    // Columns on the command line take precedence.
    guard options.columns == nil, let parameters else { return warnings }
    let list = configuration.columnsPath ?? "the list of columns"
    let unserved = parameters.unserved
    if options.sextractor != nil {
      // SExtractor's words. Other columns were refused.
      warnings += parameters.unknown.map { "\($0) catalog parameter unknown" }
    } else if !unserved.isEmpty {
      let verb = unserved.count == 1 ? "does not exist here and is" : "do not exist here and are"
      warnings.append("\(list): \(unserved.joined(separator: ", ")) \(verb) left out")
    }
    let apertures = try options.diameters ?? configuration.apertures
    if let column = parameters.apertureColumn, let count = column.size, count > apertures.count {
      let given = apertures.count == 1 ? "is one aperture" : "are \(apertures.count) apertures"
      warnings.append(
        "\(list): \(column.name)(\(count)) is asked for, and there \(given): the other fluxes are 0; "
          + "give more with PHOT_APERTURES or --apertures")
    }
    return warnings
  }

  /// The columns of the list that exist here; `nil` if there is no list.
  ///
  /// - Throws: `InvalidScan` if none exists.
  var columns: [Column]? {
    get throws {
      guard let parameters else { return nil }
      let columns = parameters.served
      guard !columns.isEmpty else {
        throw InvalidScan(
          "none of the columns in \(configuration.columnsPath ?? "the list") exists here; "
            + "name some that skynet sex -dp prints")
      }
      return columns
    }
  }
}
