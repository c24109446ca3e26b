import SkyDetection

extension ReaderProcess {
  /// Reads the first rows of an image, as many as fit into memory, with a reader of its own; its
  /// checksums; and the world and sky positions of the corners, if they are wanted. For programs with one thread: the
  /// function forks, and blocks.
  ///
  /// - Throws: ``FITSError``; ``NoSkyPositions`` if sky positions are wanted, and the header has
  ///   none.
  package static func readThrough(_ path: String, wantsSky: Bool) throws {
    let reader = try start()
    defer { reader.end() }
    let file = try InputFile(path: path)
    let image = try ReaderImage(file, ImageChoice(), reader: reader)
    if wantsSky {
      let (width, height) = (Double(image.layout.width), Double(image.layout.height))
      let places = [(1, 1), (width, 1), (1, height), (width, height), (-1e9, 1e9)].map {
        PixelPosition(x: $0.0, y: $0.1)
      }
      do { _ = try image.world(places) } catch is NoSkyPositions {}
      _ = try image.sky(places)
    }
    let bytesPerRow = image.layout.width * image.layout.coding.format.bytesPerPixel
    let rows = min(image.layout.height, PixelMemory.size / bytesPerRow)
    try image.read(PixelRectangle(x: 0, y: 0, width: image.layout.width, height: rows))
    _ = try image.checkSums()
  }
}
