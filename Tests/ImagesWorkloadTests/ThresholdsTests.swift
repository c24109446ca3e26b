import Foundation
import Testing

@testable import ImagesWorkload
@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// The thresholds of configurations, in the units in which a scan has them.
@Suite("Thresholds of configurations")
struct ThresholdsTests {
  private func settings(_ text: String, isWeighted: Bool = false) async throws -> DetectionSettings
  {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("thresholds-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("sky.fits").path
    try await SyntheticSky(width: 64, height: 64, starCount: 1).write(to: path)
    let configuration = try SExtractorConfiguration(text: text, file: "a.sex")
    let image = try await FITSImage.open(path)
    var settings = DetectionSettings()
    try await Thresholds(configuration, of: image, isWeighted: isWeighted)?.set(&settings)
    return settings
  }

  @Test("They are in units of the noise, or in counts, each for itself")
  func units() async throws {
    let usual = try await settings("")
    #expect(usual.threshold == 1.5 && usual.analysisThreshold == 1.5)
    #expect(!usual.isThresholdAbsolute && !usual.isAnalysisThresholdAbsolute)
    let mixed = try await settings("THRESH_TYPE ABSOLUTE,RELATIVE\nDETECT_THRESH 40")
    #expect(mixed.threshold == 40 && mixed.isThresholdAbsolute)
    #expect(!mixed.isAnalysisThresholdAbsolute)
  }

  /// SExtractor 2.25 prints 9.95268.
  @Test("A surface brightness is a number of counts by the size of a pixel")
  func surfaceBrightness() async throws {
    let text = "DETECT_THRESH 22,26\nANALYSIS_THRESH 3\nPIXEL_SCALE 0.5\n"
    let found = try await settings(text)
    #expect(abs(found.threshold - 9.95268) < 1e-5 && found.isThresholdAbsolute)
    #expect(found.analysisThreshold == 3 && !found.isAnalysisThresholdAbsolute)
    let weighted = try await settings(text + "THRESH_TYPE ABSOLUTE", isWeighted: true)
    #expect(weighted.threshold == found.threshold)
  }

  @Test(
    "A surface brightness beside weights is refused, where SExtractor takes it for a multiple of the noise"
  )
  func weighted() async throws {
    let text = "DETECT_THRESH 22,26\n"
    await #expect(throws: InvalidScan.self) { try await settings(text, isWeighted: true) }
    await #expect(throws: InvalidScan.self) {
      try await settings(text + "WEIGHT_TYPE BACKGROUND")
    }
    // That of the pixels measured follows the noise in any case.
    let analysis = try await settings("ANALYSIS_THRESH 22,26", isWeighted: true)
    #expect(analysis.isAnalysisThresholdAbsolute && !analysis.isThresholdAbsolute)
  }
}
