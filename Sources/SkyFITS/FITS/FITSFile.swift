import Foundation
import SkyDetection
import SkyFiles

/// Which of a file's images is opened, and with which cards besides its own.
struct ImageChoice: Hashable, Sendable {
  /// The image's number or name; `nil` if the file has only one.
  var `extension`: String?
  /// A file whose cards replace those of the header; `nil` for none.
  var headerFile: HeaderFile?
}

/// The owner of an open FITS file. Everything that touches the file runs on one serial queue,
/// because reading blocks, and two threads must not use a CFITSIO handle at once.
actor FITSFile {
  private let queue = FITSQueue()
  private let path: String
  private let choice: ImageChoice
  private let reader: ReaderProcess?
  private(set) var file: InputFile?
  /// The digests of the file's blocks that were asked for.
  var blockDigests: BlockDigests?
  private var source: (any ImageSource)?
  /// The reason why the image has no sky positions, once ``checkSky()`` or ``sky(_:)`` has found it
  /// out. It saves further requests to the source.
  private var noSkyReason: NoSkyPositions?
  /// The part of the image in the source's memory: the band of whole rows that was read last, or
  /// all of a small image. Sectors are read row by row, and neighbouring sectors share rows.
  /// CFITSIO would read those rows again, whole or in many small pieces.
  private var band: PixelBand?

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// - Parameter reader: the process that reads the file; `nil` for this process.
  init(path: String, _ choice: ImageChoice, reader: ReaderProcess?) {
    self.path = path
    self.choice = choice
    self.reader = reader
  }

  /// Opens the file, finds its image, and checks that all of its pixels are there.
  ///
  /// - Throws: ``FITSError``.
  func open() throws -> (layout: FITSLayout, stamp: FileStamp) {
    let file = try InputFile(path: path)
    self.file = file
    let opened = try source(of: file)
    guard opened.layout.isPossible(fileSize: file.size) else {
      throw FITSError(
        .invalidHeader, path: path,
        fault:
          "its header says that it has \(opened.layout.width) × \(opened.layout.height) pixels, "
          + "which \(file.size) bytes cannot hold",
        nextStep: "fetch it again, or check it with fitsverify")
    }
    source = opened
    return (opened.layout, file.stamp)
  }

  private func source(of file: InputFile) throws -> any ImageSource {
    guard let reader else {
      return try OpenImage(
        descriptor: file.descriptor, size: file.size, path: path, extension: choice.extension,
        headerFile: choice.headerFile?.text, memory: PixelMemory(isShared: false))
    }
    return try ReaderImage(file, choice, reader: reader)
  }

  /// The images of the file, which need not be open.
  ///
  /// - Throws: ``FITSError``.
  func images() throws -> [FITSImageUnit] {
    let file = try InputFile(path: path)
    if let reader { return try reader.images(of: file) }
    let contents = try FileBytes(descriptor: file.descriptor, size: file.size, path: path)
    return try FITSHandle(contents, path: path).listImages()
  }

  /// The hash of the file's contents.
  ///
  /// - Throws: ``FITSError``; ``ChangedFile``.
  func hash() throws -> String {
    guard let file else { throw notOpen }
    return try file.hash().text
  }

  /// - Throws: ``FITSError``.
  func checkSums() throws -> FITSSums {
    guard let source else { throw notOpen }
    return try source.checkSums()
  }

  /// - Throws: ``NoSkyPositions``, ``FITSError``.
  func checkSky() throws {
    guard let source else { throw notOpen }
    if let noSkyReason { throw noSkyReason }
    do {
      try source.checkSky()
    } catch let error as NoSkyPositions {
      noSkyReason = error
      throw error
    }
  }

  /// - Throws: ``NoSkyPositions``, ``FITSError``.
  func sky(_ places: [PixelPosition]) throws -> [SkyPosition?] {
    guard let source else { throw notOpen }
    if let noSkyReason { throw noSkyReason }
    return try source.sky(places)
  }

  /// - Throws: ``NoSkyPositions``, ``FITSError``.
  func world(_ places: [PixelPosition]) throws -> WorldPlaces {
    guard let source else { throw notOpen }
    return try source.world(places)
  }

  /// The pixels of a rectangle, row by row, coded as in the layout. Call ``open()`` first.
  ///
  /// - Throws: ``FITSError``.
  func pixels(in rectangle: PixelRectangle, layout: FITSLayout) throws -> Data {
    guard let source else { throw notOpen }
    if let band, band.holds(rectangle) { return band.pixels(in: rectangle, of: source.memory) }
    let bytesPerPixel = layout.coding.format.bytesPerPixel
    func bytes(of rectangle: PixelRectangle) -> Int {
      rectangle.width * rectangle.height * bytesPerPixel
    }
    let image = PixelRectangle(x: 0, y: 0, width: layout.width, height: layout.height)
    // After a read of the whole image at once, no other part of it is read soon.
    if rectangle == image, let pixels = try source.readApart(image) { return pixels }
    let rows = PixelRectangle(x: 0, y: rectangle.y, width: layout.width, height: rectangle.height)
    // Reads all of a small image, because each pass needs it again; otherwise whole rows; and only
    // the rectangle if the image is too wide for that.
    let parts = [image, rows, rectangle]
    guard let part = parts.first(where: { bytes(of: $0) <= PixelMemory.size }) else {
      return try readInPieces(
        rectangle, layout, PixelMemory.size / (rectangle.width * bytesPerPixel))
    }
    // A read that fails may have overwritten a part of the band.
    band = nil
    try source.read(part)
    let read = PixelBand(rectangle: part, bytesPerPixel: bytesPerPixel)
    band = read
    return read.pixels(in: rectangle, of: source.memory)
  }

  /// Reads a rectangle that does not fit into memory, a few rows at a time.
  private func readInPieces(
    _ rectangle: PixelRectangle, _ layout: FITSLayout, _ rowsAtOnce: Int
  ) throws -> Data {
    var pixels = Data()
    for row in stride(from: rectangle.y, to: rectangle.rows.upperBound, by: rowsAtOnce) {
      var piece = rectangle
      piece.y = row
      piece.height = min(rowsAtOnce, rectangle.rows.upperBound - row)
      pixels += try self.pixels(in: piece, layout: layout)
    }
    return pixels
  }

  private var notOpen: FITSError {
    FITSError(
      .readFailed, path: path, fault: "is not open", nextStep: "open it before reading")
  }
}
