import Foundation
import SkyDetection

/// What the headers of FITS catalogues tell of a scan: the image, and the settings with which its
/// sources were found and measured.
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

  /// When the image was scanned; `nil` where the catalogue does not tell.
  package var times: ExtractionTimes?

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
  /// The names of the files of settings, of the network that tells stars, and of the smoothing kernel, without their
  /// folders.
  package var configuration = "", network = "", kernel = ""
  /// Whether the image was smoothed.
  package var smooths = false
  /// In photons per count; 0 stands for infinitely many.
  package var gain = 0.0
  package var minimumArea = 0, deblendLevels = 0
  package var deblendContrast = 0.0
  /// CLEAN and CLEAN_PARAM.
  package var cleans = false, cleanParameter = 1.0
  /// The diameters of circles, in pixels.
  package var apertures: [Double] = []
  /// The factor and the minimum radius of Kron's and of Petrosian's ellipses.
  package var kron = (factor: 0.0, minimum: 0.0), petrosian = (factor: 0.0, minimum: 0.0)
  /// The saturation level, in counts.
  package var saturation = 0.0
  package var zeroPoint = 0.0
  /// The sides of the background's meshes, in pixels, and of the filter, in meshes.
  package var mesh = (width: 0, height: 0), meshFilter = (width: 0, height: 0)
  /// Whether local backgrounds are measured.
  package var isBackgroundLocal = false
  /// Further settings of the configuration.
  package var told = SExtractorConfiguration.Told()
  /// The standard deviation of a pixel of weight 1, in counts; 1 where weights are taken as they are, 0 without weights.
  package var weightScale = 0.0

  package init() {}

  /// What only a configuration tells.
  ///
  /// - Parameter file: the configuration's path; `nil` if it has none.
  package init(_ configuration: SExtractorConfiguration, file: String?) {
    // Reading the configuration has found its variables.
    func name(_ path: String) -> String {
      (((try? EnvironmentVariables.expand(path)) ?? path) as NSString).lastPathComponent
    }
    self.configuration = ((file ?? "default.sex") as NSString).lastPathComponent
    network = name(configuration.networkPath)
    kernel = name(configuration.kernelPath ?? "default.conv")
    smooths = configuration.filters
    (cleans, cleanParameter) = (configuration.cleans, configuration.cleanParameter)
    told = configuration.told
    // The scan has them only if a column needs them.
    apertures = configuration.apertures
    kron = (configuration.kron.factor, configuration.kron.minimum)
    petrosian = (configuration.petrosian[0], configuration.petrosian[1])
  }
}
