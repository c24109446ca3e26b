import Foundation
import SkyCatalog
import SkyDetection
import SkyFITS

/// The thresholds of a configuration: in units of the noise, in counts (THRESH_TYPE ABSOLUTE), or as
/// surface brightness, which has a zero point beside it (DETECT_THRESH 24,30.5).
struct Thresholds {
  private let detection: (number: Double, isAbsolute: Bool)
  private let analysis: (number: Double, isAbsolute: Bool)

  /// - Returns: `nil` without a configuration.
  /// - Throws: `InvalidScan` if a surface brightness is no number of counts here; `FITSError`.
  init?(
    _ configuration: SExtractorConfiguration?, of image: FITSImage, isWeighted: Bool
  ) async throws {
    guard let configuration else { return nil }
    let zeroPoints = [configuration.thresholdZeroPoint, configuration.analysisZeroPoint]
    var area: Double?
    if zeroPoints.contains(where: { $0 != nil }) {
      area = try await Self.pixelArea(configuration.pixelScale, of: image)
    }
    func counts(
      _ number: Double, _ zeroPoint: Double?, isAbsolute: Bool
    ) -> (number: Double, isAbsolute: Bool) {
      guard let zeroPoint, let area else { return (number, isAbsolute) }
      return (area * pow(10, -0.4 * (number - zeroPoint)), true)
    }
    // SExtractor multiplies each pixel's noise with the magnitude.
    let isWeighted = isWeighted || configuration.weightKind == .background
    guard
      configuration.thresholdZeroPoint == nil || !isWeighted || configuration.isThresholdAbsolute
    else {
      throw InvalidScan(
        "DETECT_THRESH is a surface brightness, and there are weights; set THRESH_TYPE to ABSOLUTE")
    }
    detection = counts(
      configuration.threshold, configuration.thresholdZeroPoint,
      isAbsolute: configuration.isThresholdAbsolute)
    analysis = counts(
      configuration.analysisThreshold, configuration.analysisZeroPoint,
      isAbsolute: configuration.isAnalysisThresholdAbsolute)
  }

  func set(_ settings: inout DetectionSettings) {
    (settings.threshold, settings.isThresholdAbsolute) = detection
    settings.analysisThreshold = analysis.number
    settings.isAnalysisThresholdAbsolute = analysis.isAbsolute
  }

  /// The area of a pixel in square arcseconds: that of PIXEL_SCALE, or if it is 0, of the pixel in the
  /// image's middle.
  private static func pixelArea(_ scale: Double, of image: FITSImage) async throws -> Double {
    guard scale == 0 else { return scale * scale }
    let middle = PixelPosition(x: Double(image.width + 1) / 2, y: Double(image.height + 1) / 2)
    do {
      if let jacobian = try await image.jacobians([middle]).jacobians[0], jacobian.area > 0 {
        return jacobian.area * 3600 * 3600
      }
    } catch is NoSkyPositions {}
    throw InvalidScan(
      "a threshold is a surface brightness, and the size of a pixel in the sky is not known; set "
        + "PIXEL_SCALE")
  }
}
