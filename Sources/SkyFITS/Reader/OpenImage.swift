import SkyDetection

/// An image that this process reads itself, by CFITSIO and WCSLIB.
///
/// Not `Sendable`, as CFITSIO's handles are not.
final class OpenImage: ImageSource {
  let memory: PixelMemory
  let layout: FITSLayout
  private let handle: FITSHandle
  private var coordinates: Result<WorldCoordinates, NoSkyPositions>?

  /// - Parameters:
  ///   - descriptor: the open file, which need not stay so.
  ///   - size: how many bytes it has.
  ///   - path: what errors call it.
  ///   - extension: which of its images is meant; `nil` if it has one only.
  ///   - memory: where pixels go.
  /// - Throws: ``FITSError``.
  init(
    descriptor: CInt, size: Int, path: String, extension choice: String?, memory: PixelMemory
  ) throws {
    self.memory = memory
    handle = try FITSHandle(FileBytes(descriptor: descriptor, size: size, path: path), path: path)
    layout = try handle.selectImage(choice)
  }

  func read(_ rectangle: PixelRectangle) throws {
    try handle.read(rectangle, layout, to: memory.bytes)
  }

  func checkSky() throws { _ = try worldCoordinates() }

  func sky(_ places: [PixelPosition]) throws -> [SkyPosition?] {
    try worldCoordinates().sky(places.map { ($0.x, $0.y) })
  }

  private func worldCoordinates() throws(NoSkyPositions) -> WorldCoordinates {
    if let coordinates { return try coordinates.get() }
    let header = layout.header
    let result = Result { () throws(NoSkyPositions) in try WorldCoordinates(header: header) }
    coordinates = result
    return try result.get()
  }
}
