import SkyCatalog
import SkyDetection
import SkyFITS

extension FITSImage {
  /// How many weights are read at a time, unless a row has more.
  private static let bandPixels = 1 << 22

  /// Checks weights with which SExtractor interpolates for detection alone (see
  /// ``SExtractorConfiguration/interpolatesToDetect``): as long as no pixel is bad, there is nothing to interpolate.
  /// Reads all of them.
  ///
  /// - Parameter name: the map's name in the configuration.
  /// - Throws: `InvalidScan` if a pixel is bad; `FITSError` if the map cannot be read.
  func checkForDetection(_ weighting: DetectionSettings.Weighting, name: String?) async throws {
    let height = max(1, Self.bandPixels / width)
    for row in stride(from: 0, to: self.height, by: height) {
      let band = PixelRectangle(
        x: 0, y: row, width: width, height: min(height, self.height - row))
      guard try await !values(in: band).contains(where: weighting.isBad) else {
        throw InvalidScan(
          "\(SExtractorFiles.name(path, name)): has bad pixels, and WEIGHT_TYPE or WEIGHT_IMAGE has two values: "
            + "SExtractor interpolates them then where it detects and not where it measures, which does not exist "
            + "here; write each once, or INTERP_TYPE ALL,ALL with INTERP_MAXXLAG 16,16 and INTERP_MAXYLAG 16,16, or "
            + "INTERP_TYPE NONE")
      }
    }
  }
}
