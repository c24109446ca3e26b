/// One of the images of a FITS file.
public struct ImageUnit: Hashable, Sendable {
  /// The number of the header and data unit that holds the image. 0 is the primary unit.
  public let number: Int
  /// EXTNAME; `nil` if the header has none.
  public let name: String?
  /// The number of columns and rows.
  public let width: Int
  public let height: Int
}

extension FITSImage {
  /// The images of a file that can be scanned, in the order of the file: those of two dimensions, with pixels.
  ///
  /// - Parameters:
  ///   - path: the file's path, used as it is.
  ///   - reader: the process that reads the file. With `nil`, this process reads it, and a damaged or hostile file
  ///     may crash it.
  /// - Throws: ``FITSError`` if the file does not exist, is not FITS, or a header cannot be read; or if the reader
  ///   ended.
  public static func images(
    in path: String, reader: ReaderProcess? = nil
  ) async throws -> [ImageUnit] {
    try await FITSFile(path: path, extension: nil, reader: reader).images()
  }
}
