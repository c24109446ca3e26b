import SkyDetection

/// An image that this process reads itself, with CFITSIO and WCSLIB.
///
/// It is not `Sendable`, because CFITSIO's handles are not.
final class OpenImage: ImageSource {
  let memory: PixelMemory
  let layout: FITSLayout
  private let handle: FITSHandle
  private var primary: Result<WorldCoordinates, NoSkyPositions>?
  private var coordinates: Result<WorldCoordinates, NoSkyPositions>?

  /// - Parameters:
  ///   - descriptor: the open file. The caller may close it afterwards.
  ///   - size: the number of bytes of the file.
  ///   - path: the path in errors.
  ///   - extension: the image to open; `nil` if the file has only one.
  ///   - headerFile: the text of a file whose cards replace those of the header; `nil` for none.
  ///   - memory: receives the pixels.
  /// - Throws: ``FITSError``.
  init(
    descriptor: CInt, size: Int, path: String, extension choice: String?,
    headerFile: String? = nil, memory: PixelMemory
  ) throws {
    self.memory = memory
    handle = try FITSHandle(FileBytes(descriptor: descriptor, size: size, path: path), path: path)
    layout = try handle.selectImage(choice, headerFile: headerFile)
  }

  func read(_ rectangle: PixelRectangle) throws {
    try handle.read(rectangle, layout, to: memory.bytes)
  }

  func checkSums() throws -> FITSSums { try handle.checkSums() }

  func checkSky() throws { _ = try worldCoordinates() }

  func sky(_ places: [PixelPosition]) throws -> [SkyPosition?] {
    try worldCoordinates().sky(places.map { ($0.x, $0.y) })
  }

  func world(_ places: [PixelPosition]) throws -> WorldPlaces {
    let header = withoutComments(layout.fullHeader)
    let result =
      primary ?? Result { () throws(NoSkyPositions) in try WorldCoordinates(primary: header) }
    primary = result
    return try result.get().places(places.map { ($0.x, $0.y) })
  }

  private func worldCoordinates() throws(NoSkyPositions) -> WorldCoordinates {
    if let coordinates { return try coordinates.get() }
    let header = withoutComments(layout.fullHeader)
    let result = Result { () throws(NoSkyPositions) in try WorldCoordinates(header: header) }
    coordinates = result
    return try result.get()
  }
}
