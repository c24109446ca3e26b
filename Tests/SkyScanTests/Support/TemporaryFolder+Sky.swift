import SkyFITS
import SkyScan
import SkyTestSupport

extension TemporaryFolder {
  /// Draws a sky to a file, and opens the file.
  func sky(width: Int, height: Int, starCount: Int) async throws -> FITSImage {
    let path = file("sky.fits")
    try await SyntheticSky(width: width, height: height, starCount: starCount).write(to: path)
    return try await FITSImage.open(path)
  }
}
