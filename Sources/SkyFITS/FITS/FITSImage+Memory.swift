extension FITSImage {
  /// The number of bytes of the image that stay in memory while bands of `rows` rows are read. See
  /// ``PixelMemory``.
  package func heldBytes(rows: Int) -> Int {
    let row = width * coding.format.bytesPerPixel
    let fitting = [height, min(rows, height)].first { $0 * row <= PixelMemory.size }
    return (fitting ?? 0) * row
  }
}
