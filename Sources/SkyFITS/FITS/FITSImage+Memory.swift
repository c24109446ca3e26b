extension FITSImage {
  /// How much of the image is kept while bands of so many rows are read; see ``PixelMemory``.
  package func heldBytes(rows: Int) -> Int {
    let row = width * coding.format.bytesPerPixel
    let fitting = [height, min(rows, height)].first { $0 * row <= PixelMemory.size }
    return (fitting ?? 0) * row
  }
}
