import SkyDetection
import SkyFITS

extension ImageJob {
  /// A lower bound for the memory, in bytes, of a process that cuts the image into sectors and
  /// scans some of them: the parts of the files that it keeps, and the pixels, smoothed pixels and
  /// noise of the sectors that are scanned at a time.
  ///
  /// - Parameter slots: the number of sectors that this process scans at a time.
  public func leastMemory(slots: Int) -> Int {
    let patch = settings.grid.patch(0)
    let files = [image, weights].compactMap { $0 }
    let held = files.map { $0.heldBytes(rows: patch.height) }.reduce(0, +)
    let pixel = files.map(\.coding.format.bytesPerPixel).reduce(0, +) + 8
    return held + min(slots, sectorCount) * patch.width * patch.height * pixel
  }
}
