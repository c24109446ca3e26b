import Foundation

/// The folder of real images, which are not part of the repository: where the environment does not name
/// it, tests of them are skipped.
package let realImages = ProcessInfo.processInfo.environment["SKYNET_TEST_DATA"]
  .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

package let realImagesNeeded =
  "set SKYNET_TEST_DATA to a folder with SDSS frames, ntt-galaxies.fits and M6707HH.fits"
