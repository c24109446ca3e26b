package import Foundation
public import SkyDetection

/// The image of a FITS file, open for reading: the one 2-D image in it that has pixels, or that of
/// several which was chosen.
///
/// It may lie outside the primary unit, be tile-compressed, have further axes of length 1, and
/// the file may be gzipped (then it is held in memory, decompressed). The file stays open as long
/// as a copy of the value is kept. Reading waits for a queue of the file's own, never on Swift's
/// cooperative threads.
///
/// The format is that of the FITS Standard, version 4.0 (IAU FITS Working Group, 2018).
public struct FITSImage: Sendable {
  /// The longest side, in pixels, that an image may have.
  public static let maximumSide = SectorGrid.maximumImageSide

  public let path: String
  /// How many columns the image has (NAXIS1).
  public var width: Int { layout.width }
  /// How many rows the image has (NAXIS2).
  public var height: Int { layout.height }
  /// How ``pixels(in:)`` codes the pixels.
  package var coding: PixelCoding { layout.coding }

  /// The image's header, as it would be without compression: cards of 80 characters, one after the
  /// other.
  public var header: String { layout.header }

  private let layout: FITSLayout
  private let file: FITSFile

  /// Which header and data unit of the file it is: 0 is the primary one, as CFITSIO and DS9 count.
  public var extensionNumber: Int { layout.extensionNumber }
  /// Whether the file has other images beside this one.
  public var isOneOfSeveral: Bool { layout.isOneOfSeveral }

  /// Opens a file. The path is a path, nothing else: brackets and tildes in it mean nothing special.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - extension: which of its images is meant: the unit's number, 0 for the primary one, or its
  ///     EXTNAME, which may be followed by a comma and its EXTVER. Needed if there are several.
  ///   - reader: the process that reads it. Without one this process does so itself, and a file that is
  ///     damaged or hostile may end it.
  /// - Throws: ``FITSError`` if there is no such file, it is not FITS, has no 2-D image with
  ///   pixels or several and none is chosen, lacks some of the pixels at its end, or is larger than
  ///   ``maximumSide``; or if its reader ended.
  public static func open(
    _ path: String, extension choice: String? = nil, reader: ReaderProcess? = nil
  ) async throws -> FITSImage {
    let file = FITSFile(path: path, extension: choice, reader: reader)
    return FITSImage(path: path, layout: try await file.open(), file: file)
  }

  /// The number that its header gives for a keyword, if it has one there.
  public func number(_ keyword: String?) -> Double? {
    keyword.flatMap { SkyFITS.number(of: $0, in: header) }
  }

  /// Checks that the image tells where it is in the sky of J2000.
  ///
  /// - Throws: ``NoSkyPositions`` if it does not; ``FITSError`` if that cannot be found out.
  public func checkSky() async throws { try await file.checkSky() }

  /// Where places of the image are in the sky; `nil` for one that is not in it.
  ///
  /// - Parameter places: x and y, which count from 1 at the centre of the first pixel.
  /// - Throws: ``NoSkyPositions``, ``FITSError``.
  public func sky(of places: [(x: Double, y: Double)]) async throws -> [SkyPosition?] {
    try await sky(places.map { PixelPosition(x: $0.x, y: $0.y) })
  }

  /// The places of pixels in the sky; `nil` for one that is not in it.
  ///
  /// - Throws: ``NoSkyPositions``, ``FITSError``.
  package func sky(_ places: [PixelPosition]) async throws -> [SkyPosition?] {
    try await file.sky(places)
  }

  /// The values of a rectangle's pixels, row by row, in the image's units (BZERO and BSCALE are
  /// applied); NaN where there is none.
  ///
  /// - Throws: ``FITSError`` if reading fails, ``InvalidScan`` if the rectangle is not within the
  ///   image.
  public func values(in rectangle: PixelRectangle) async throws -> [Float] {
    coding.values(of: try await pixels(in: rectangle))
  }

  /// The pixels of a rectangle, row by row, coded as ``coding`` says.
  ///
  /// - Throws: ``FITSError`` if reading fails, ``InvalidScan`` if the rectangle is not within the
  ///   image.
  package func pixels(in rectangle: PixelRectangle) async throws -> Data {
    guard rectangle.isWithin(width: width, height: height) else {
      throw InvalidScan("\(rectangle) is not within an image of \(width) × \(height) pixels")
    }
    return try await file.pixels(in: rectangle, layout: layout)
  }

  /// Sixteen hexadecimal digits that hardly any other file has, made of all the bytes of this one
  /// as it lies on disk.
  ///
  /// - Throws: ``FITSError`` if it can no longer be read.
  public func contentsHash() async throws -> String { try await file.hash() }
}
