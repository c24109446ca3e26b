import SkyDetection

/// How much is measured of each source.
enum SourceList: String, CaseIterable {
  /// The isophotal measures, which the detector makes by default.
  case short
  /// What a pipeline's list of columns asks for: fluxes in circles and in Kron's and Petrosian's ellipses, growth curves,
  /// windows, errors; and cleaning.
  case long

  var settings: DetectionSettings {
    var settings = DetectionSettings()
    guard self == .long else { return settings }
    settings.cleaning = 1
    settings.apertures = [4, 8, 17]
    settings.gain = 2
    settings.saturation = 60_000
    settings.kron = .init()
    #if !OLDER_LISTS
      settings.petrosian = .init()
      settings.fluxFractions = [0.2, 0.5, 0.8]
      settings.measures = [.fluxErrors, .positionErrors, .profile, .window, .thresholds]
    #endif
    return settings
  }
}

/// Finds the sources of a made-up sky.
func detection(of sky: MadeUpSky, for list: SourceList) throws -> () throws -> Void {
  let detector = SourceDetector(list.settings)
  let pixels = sky.pixels
  return {
    let sources = try detector.sources(in: pixels, width: MadeUpSky.side, height: MadeUpSky.side)
    guard sky.expectedSources.contains(sources.count) else {
      throw UnexpectedOutcome(description: "\(sources.count) sources in the sky \(sky)")
    }
  }
}
