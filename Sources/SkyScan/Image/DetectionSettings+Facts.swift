// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyCatalog
import SkyDetection
import SkyNetCore

extension DetectionSettings {
  /// The settings that the sources depend on, in words. The image and its cut are not among them.
  var facts: [JobIdentity.Fact] {
    func optional(_ value: Double?) -> String { value.map { "\($0)" } ?? "none" }
    return [
      .init("threshold", "\(threshold)\(isThresholdAbsolute ? " counts" : "")"),
      .init("analysis threshold", analysisWords),
      .init("minimum area", "\(minimumArea)"),
      .init("maximum area", "\(maximumArea)"),
      .init("kernel", kernel.words),
      .init("cleaning", optional(cleaning)),
      .init("local background", localThickness.map { "a frame of \($0)" } ?? "none"),
      .init("mesh size", "\(mesh)"),
      .init(
        "mesh filter", "\(meshFilter.width) × \(meshFilter.height), from \(meshFilter.threshold)"),
      .init("background level", optional(backgroundLevel)),
      .init("deblending levels", "\(deblendLevels)"),
      .init("deblending contrast", "\(deblendContrast)"),
      .init("maximum extent", "\(maximumExtent)"),
      .init("saturation", optional(saturation)),
      .init("weighting", weighting.words),
      .init("gain", scalesGain ? "\(gain), by weights" : "\(gain)"),
      .init("interpolation", interpolates ? "all" : "none"),
      .init("apertures", apertures.map { "\($0)" }.joined(separator: ", ")),
      .init("Kron ellipses", kron.map { "\($0.factor), \($0.minimum)" } ?? "none"),
      .init("Petrosian ellipses", petrosian.map { "\($0.factor), \($0.minimum)" } ?? "none"),
      .init("least circles", "\(leastCircles.search), \(leastCircles.flux)"),
      .init("masking", masking.rawValue),
      .init("flux fractions", fluxFractions.map { "\($0)" }.joined(separator: ", ")),
      .init("further measures", "\(measures.rawValue)"),
      .init("stamps", stamp.map { "\($0.width) × \($0.height)" } ?? "none"),
    ]
  }
}

extension DetectionSettings {
  private var analysisWords: String {
    guard let analysisThreshold else {
      return "\(threshold)\(isThresholdAbsolute ? " counts" : "")"
    }
    return "\(analysisThreshold)\(isAnalysisThresholdAbsolute ? " counts" : "")"
  }
}

extension CatalogSettings {
  /// The settings that the catalogue depends on and no sector does, in words.
  var facts: [JobIdentity.Fact] {
    [
      .init("zero point", "\(zeroPoint)"), .init("pixel scale", "\(pixelScale)"),
      .init("seeing", "\(seeing)"), .init("network", network?.fingerprint ?? networkPath ?? "none"),
    ]
  }
}

extension DetectionSettings.Weighting {
  fileprivate var words: String {
    kind.rawValue + (rescales ? "" : " as it is")
      + (threshold.map { ", bad from \($0)" } ?? "")
  }
}

extension SmoothingKernel {
  fileprivate var words: String {
    "\(width) × \(height): \(weights.map { "\($0)" }.joined(separator: " "))"
  }
}
