package import Foundation
public import SkyDetection
package import SkyFiles

/// An image in a FITS file, open for reading: the file's only one with pixels and at least two axes, or
/// the one that was chosen among several.
///
/// The image may be in an extension, be tile-compressed, or have further axes, along which the first
/// plane counts. The file
/// may be gzipped; then its decompressed contents are held in memory. The file stays open as long
/// as a copy of this value exists. Reading runs on a queue of the file's own, and never blocks
/// Swift's cooperative threads.
///
/// The format is that of the FITS Standard, version 4.0 (IAU FITS Working Group, 2018).
public struct FITSImage: Sendable {
  /// The longest side that an image may have, in pixels.
  public static let maximumSide = SectorGrid.maximumImageSide

  /// The file's path.
  public let path: String
  /// Which file it was when it was opened.
  package let stamp: FileStamp
  /// The file as it was when it was opened.
  package var opened: OpenedFile { OpenedFile(path: path, state: stamp.state) }
  /// The number of columns (NAXIS1).
  public var width: Int { layout.width }
  /// The number of rows (NAXIS2).
  public var height: Int { layout.height }
  /// The coding of the pixels that ``pixels(in:)`` returns.
  package var coding: PixelCoding { layout.coding }

  /// The number of planes that the image has along its further axes; only the first one is read.
  public var planeCount: Int { layout.planeCount }

  /// The image's own header, as it would be without compression: cards of 80 characters, one after
  /// the other.
  public var header: String { layout.header }

  /// The header with the cards of a header file, if there is one.
  package var fullHeader: String { layout.fullHeader }

  /// The file whose cards replace those of the header; `nil` if there is none.
  package let headerFile: HeaderFile?
  /// Whether the header file has cards for the image.
  package var hasReplacingCards: Bool { !layout.replacingCards.isEmpty }

  let layout: FITSLayout
  let file: FITSFile

  /// The number of the header and data unit that holds the image. 0 is the primary unit, as in
  /// CFITSIO and DS9.
  public var extensionNumber: Int { layout.extensionNumber }
  /// Whether the file has other images besides this one.
  public var isOneOfSeveral: Bool { layout.isOneOfSeveral }
  /// Whether an extension behind the image cannot be read, and nobody chose the image.
  package var isBeforeDamage: Bool { layout.leftOut.contains(.damage) }
  /// Whether bytes that belong to no extension follow the file's last one. It is told of the last image.
  package var isBeforeOtherBytes: Bool { layout.leftOut.contains(.otherBytes) }
  /// Whether the file has a table of text, which SExtractor scans as an image. It is told of the last image.
  package var isBesideTextTable: Bool { layout.leftOut.contains(.textTable) }

  /// Whether bytes are missing that would fill the last block of the image's unit up. All pixels are there.
  package var isUnfilled: Bool { layout.isUnfilled }

  /// Opens a file. The path is used as it is: brackets and tildes have no special meaning.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - choice: the image to open: its unit's number, 0 for the primary one, or its EXTNAME,
  ///     optionally followed by a comma and its EXTVER. Required if the file has several images.
  ///   - reader: the processes that read the file. With `nil`, this process reads it, and a damaged
  ///     or hostile file may crash this process.
  /// - Throws: ``FITSError`` if the file does not exist or is not FITS; if it has no image with
  ///   pixels and two axes, or several and none was chosen; if pixels are missing at its end; if the image is
  ///   larger than ``maximumSide``; or if the reader ended.
  public static func open(
    _ path: String, extension choice: String? = nil, reader: ReaderProcess? = nil
  ) async throws -> FITSImage {
    try await open(path, extension: choice, headerFile: nil, reader: reader)
  }

  /// Opens a file, and replaces cards of the image's header.
  ///
  /// - Parameter headerFile: the file with the cards; `nil` for none.
  /// - Throws: ``FITSError``; see ``open(_:extension:reader:)``.
  package static func open(
    _ path: String, extension choice: String?, headerFile: HeaderFile?, reader: ReaderProcess?
  ) async throws -> FITSImage {
    let file = FITSFile(
      path: path, ImageChoice(extension: choice, headerFile: headerFile), reader: reader)
    let (layout, stamp) = try await file.open()
    return FITSImage(
      path: path, stamp: stamp, headerFile: headerFile, layout: layout, file: file)
  }

  /// The images of a file that can be opened: all with pixels and at least two axes, in the order of the file. An extension with
  /// a damaged header comes last; see ``FITSImageUnit/isDamaged``.
  ///
  /// Whether all their pixels are there is found out by opening one.
  ///
  /// - Parameters:
  ///   - path: the file's path, used as it is.
  ///   - reader: the processes that read the file; see ``open(_:extension:reader:)``.
  /// - Returns: at least one image.
  /// - Throws: ``FITSError`` if the file does not exist or is not FITS, if it has no such image, or
  ///   if the reader ended.
  public static func images(
    in path: String, reader: ReaderProcess? = nil
  ) async throws -> [FITSImageUnit] {
    try await FITSFile(path: path, ImageChoice(), reader: reader).images()
  }

  /// The number that the header has for a keyword, also as a text; `nil` if it has none. Of several cards
  /// with the keyword the first one counts.
  public func number(_ keyword: String?) -> Double? {
    keyword.flatMap { SkyFITS.number(of: $0, in: layout.fullHeader) }
  }

  /// What the header has for GAIN_KEY or SATUR_KEY: the first card whose name begins with the key; `nil` if
  /// it has none.
  package func keyed(_ key: String) -> (keyword: String, number: Double?)? {
    card(beginningWith: key, in: layout.fullHeader).map {
      (keyword(of: $0), SkyFITS.number(ofCard: $0))
    }
  }

  /// The keywords that stand in the header more than once, with different values, of those that tell of the
  /// pixels and that are named. The first card counts.
  ///
  /// - Parameter hasCoordinates: whether keywords of coordinates count, too.
  package func doubledCards(
    named others: [String] = [], hasCoordinates: Bool = false
  ) -> [DoubledCard] {
    SkyFITS.doubledCards(in: layout.fullHeader) {
      isOfPixels($0) || hasCoordinates && isOfCoordinates($0) || others.contains($0)
    }
  }

  /// The same of the header file, of whose cards the last one counts, as for SExtractor.
  package func doubledReplacingCards(named others: [String]) -> [DoubledCard] {
    let backwards = cards(of: layout.replacingCards).reversed().joined()
    return SkyFITS.doubledCards(in: backwards) { isOfCoordinates($0) || others.contains($0) }
      .reversed()
  }

  /// Compares the checksums of the image's unit with its bytes, of which all are read if there are
  /// any.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read.
  public func checkSums() async throws -> FITSSums {
    layout.hasSums ? try await file.checkSums() : FITSSums(data: .absent, unit: .absent)
  }

  /// Checks that the header tells the image's place in the sky, in J2000 coordinates.
  ///
  /// - Throws: ``NoSkyPositions`` if it does not; ``FITSError`` if the file cannot be read.
  public func checkSky() async throws { try await file.checkSky() }

  /// The sky positions of points in the image; `nil` for a point outside of the sky.
  ///
  /// - Parameter places: x and y in pixels, which count from 1 at the centre of the first pixel.
  /// - Throws: ``NoSkyPositions`` if the header has no usable coordinates; ``FITSError`` if the
  ///   file cannot be read.
  public func sky(of places: [(x: Double, y: Double)]) async throws -> [SkyPosition?] {
    try await sky(places.map { PixelPosition(x: $0.x, y: $0.y) })
  }

  /// The sky positions of points in the image; `nil` for a point outside of the sky.
  ///
  /// - Throws: ``NoSkyPositions``, ``FITSError``.
  package func sky(_ places: [PixelPosition]) async throws -> [SkyPosition?] {
    try await file.sky(places)
  }

  /// The values of a rectangle's pixels, row by row, in the image's units (with BZERO and BSCALE
  /// applied); NaN where a pixel has no value.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read; `InvalidScan` if the rectangle is not
  ///   within the image.
  public func values(in rectangle: PixelRectangle) async throws -> [Float] {
    coding.values(of: try await pixels(in: rectangle))
  }

  /// The pixels of a rectangle, row by row, in the coding of ``coding``.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read; ``InvalidScan`` if the rectangle is not
  ///   within the image.
  package func pixels(in rectangle: PixelRectangle) async throws -> Data {
    guard rectangle.isWithin(width: width, height: height) else {
      throw InvalidScan("\(rectangle) is not within an image of \(width) × \(height) pixels")
    }
    return try await file.pixels(in: rectangle, layout: layout)
  }

  /// A hash of all of the file's bytes, as they are on disk: 16 hexadecimal digits that hardly any
  /// other file has.
  ///
  /// - Throws: ``FITSError`` if the file can no longer be read; another error if it has changed since it was
  ///   opened.
  public func contentsHash() async throws -> String { try await file.hash() }

  /// The hash of all bytes of a file, whether it is a FITS file or not; see ``contentsHash()``. Blocks the thread.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read; ``ChangedFile`` if it changes meanwhile.
  package static func contentsHash(ofFile path: String) throws -> String {
    try InputFile(path: path).hash().text
  }

  /// The same hash, of a text.
  package static func contentsHash(of text: String) -> String {
    var hash = ContentsHash()
    Array(text.utf8).withUnsafeBytes { hash.add($0) }
    return hash.text
  }
}
