extension ImageJob {
  /// How many bytes a process cannot do without that cuts the image into sectors and scans some of
  /// them: what is held of the files, and the pixels, smoothed ones and noise of the sectors under
  /// way. It takes more, but never less.
  ///
  /// - Parameter slots: how many sectors are scanned here at a time.
  public func leastMemory(slots: Int) -> Int {
    let patch = settings.grid.patch(0)
    let files = [image, weights].compactMap { $0 }
    let held = files.map { $0.heldBytes(rows: patch.height) }.reduce(0, +)
    let pixel = files.map(\.coding.format.bytesPerPixel).reduce(0, +) + 8
    return held + min(slots, sectorCount) * patch.width * patch.height * pixel
  }
}

extension FITSImage {
  /// How much of the image is kept while bands of so many rows are read; see ``PixelMemory``.
  fileprivate func heldBytes(rows: Int) -> Int {
    let row = width * coding.format.bytesPerPixel
    let fitting = [height, min(rows, height)].first { $0 * row <= PixelMemory.size }
    return (fitting ?? 0) * row
  }
}
