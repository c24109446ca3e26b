import SkyDetection
import SkyFITS

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
