import SkyNetCore

/// The owner of an open FITS file: everything that touches it runs on one queue, in turn, since
/// CFITSIO blocks and its file handles must not be used by two threads at once.
actor FITSFile {
  private let queue = FITSQueue()
  private let path: String
  private var handle: FITSHandle?
  /// The band of whole rows that was read last, or all of a small image: sectors are read row by row,
  /// and those beside each other come from the same rows, of which CFITSIO reads all or many little
  /// pieces.
  private var band: PixelBand?

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(path: String) {
    self.path = path
  }

  /// Opens the file, finds its image and checks that all of its pixels are there.
  ///
  /// - Throws: ``FITSError``.
  func open() throws -> FITSLayout {
    try checkReadableFile(path)
    let handle = try FITSHandle(path: path)
    let layout = try handle.selectImage()
    self.handle = handle
    return layout
  }

  /// What tells the file's contents from others'.
  ///
  /// - Throws: ``FITSError``.
  func hash() throws -> String { try ContentsHash(ofFile: path).text }

  /// The pixels of a rectangle, row by row, coded as the layout says. Only after ``open()``.
  ///
  /// - Throws: ``FITSError``.
  func pixels(in rectangle: PixelRectangle, layout: FITSLayout) throws -> Pixels {
    guard let handle else {
      throw FITSError(
        .readFailed, path: path, fault: "is not open", nextStep: "open it before reading")
    }
    if let band, band.holds(rectangle) { return band.pixels(in: rectangle) }
    let bytesPerRow = layout.width * layout.coding.format.bytesPerPixel
    var rows = PixelRectangle(x: 0, y: rectangle.y, width: layout.width, height: rectangle.height)
    guard rows.height * bytesPerRow <= PixelBand.maximumBytes
    else { return try handle.pixels(in: rectangle, layout: layout) }
    if layout.height * bytesPerRow <= PixelBand.maximumBytes {
      // All of it, since each pass over the image needs it again.
      rows = PixelRectangle(x: 0, y: 0, width: layout.width, height: layout.height)
    }
    let read = PixelBand(
      rectangle: rows, bytesPerPixel: layout.coding.format.bytesPerPixel,
      pixels: try handle.pixels(in: rows, layout: layout))
    band = read
    return read.pixels(in: rectangle)
  }
}
