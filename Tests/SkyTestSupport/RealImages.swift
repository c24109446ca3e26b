import Foundation

/// The folder of real images, which are not in the repository. If the environment does not name the
/// folder, the tests that need it are skipped.
package let realImages = ProcessInfo.processInfo.environment["SKYNET_TEST_DATA"]
  .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

package let realImagesNeeded =
  "set SKYNET_TEST_DATA to a folder with SDSS frames, ntt-galaxies.fits and M6707HH.fits"
