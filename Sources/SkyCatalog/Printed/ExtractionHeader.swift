/// What the headers of FITS catalogues tell of a scan: the image, and the settings with which its
/// sources were found and measured.
///
/// SExtractor writes the time of its run there, and the size of its buffers. They have no place here:
/// the same catalogue has the same bytes, whenever and wherever it is made.
package struct ExtractionHeader: Sendable {
  /// The name of the image's file, without its folder.
  package var file = ""
  /// The number of the image in its file, from 1, and the number of the file's images.
  package var image = 1, imageCount = 1
  /// In pixels.
  package var width = 0, height = 0
  package var bitpix = 0
  /// The name and version of the program.
  package var software = ""

  /// The background's median level and noise, in counts.
  package var background = 0.0, noise = 0.0
  /// The thresholds for detection and for measuring, in counts.
  package var threshold = 0.0, analysisThreshold = 0.0
  /// The threshold for detection as it was set, in units of the noise or in counts.
  package var thresholdSetting = 0.0
  package var isThresholdAbsolute = false
  /// The number of sources before and after cleaning.
  package var detections = 0, sources = 0

  /// The side of a pixel and the seeing's FWHM, in arcseconds.
  package var pixelScale = 0.0, seeing = 0.0
  /// The names of files: the settings, the network that tells stars, and the smoothing kernel, which
  /// is `nil` if nothing is smoothed.
  package var configuration = "", network = "", kernel: String?
  /// In photons per count; 0 stands for infinitely many.
  package var gain = 0.0
  package var minimumArea = 0, deblendLevels = 0
  package var deblendContrast = 0.0
  /// CLEAN_PARAM; `nil` if nothing was cleaned.
  package var cleaning: Double?
  /// The diameters of circles, in pixels.
  package var apertures: [Double] = []
  /// The factor and the minimum radius of Kron's and of Petrosian's ellipses.
  package var kron = (factor: 0.0, minimum: 0.0), petrosian = (factor: 0.0, minimum: 0.0)
  /// The saturation level, in counts.
  package var saturation = 0.0
  package var zeroPoint = 0.0, gamma = 0.0
  /// The sides of the background's meshes, in pixels, and of the filter, in meshes.
  package var mesh = (width: 0, height: 0), meshFilter = (width: 0, height: 0)
  /// The thickness of the frame in which local backgrounds are measured, in pixels, and whether they
  /// are measured.
  package var localThickness = 0
  package var isBackgroundLocal = false
  /// What relative weights were multiplied by to become variances; 0 without weights.
  package var weightScale = 0.0

  package init() {}
}
