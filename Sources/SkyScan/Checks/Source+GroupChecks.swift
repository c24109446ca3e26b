import SkyDetection

extension Source {
  /// Whether the source has no other groups than those that the settings ask for, and only possible
  /// numbers in them.
  func groupsAreSound(_ settings: DetectionSettings) -> Bool {
    let measures = settings.measures
    let hasVariances = measures.contains(.fluxErrors)
    func isAsked(_ group: DetectionSettings.Measures, _ isPresent: Bool) -> Bool {
      !isPresent || measures.contains(group)
    }
    return apertureVariances.count == (hasVariances ? apertureFluxes.count : 0)
      && apertureVariances.allSatisfy { $0 >= 0 }
      && [kron, petrosian].allSatisfy { isAsked(.fluxErrors, $0?.variance != nil) }
      && [kron, petrosian].allSatisfy { $0?.variance ?? 0 >= 0 }
      && (settings.petrosian != nil || petrosian == nil)
      && (settings.localThickness != nil || localBackground == nil)
      && (fluxRadii.isEmpty || fluxRadii.count == settings.fluxFractions.count)
      && isAsked(.positionErrors, positionErrors != nil)
      && isAsked(.profile, profile != nil) && isAsked(.thresholds, thresholds != nil)
      && isAsked(.window, window != nil) && isAsked(.weightCounts, weightCounts != nil)
      && isAsked(.componentEnds, componentEnd != nil)
      && profile?.isSound(area: isophotal.area) ?? true
      && weightCounts.map { [$0.low, $0.steep].allSatisfy((0...isophotal.area).contains) } ?? true
      && window.map { $0.iterations >= 0 && $0.reach >= 0 } ?? true
      && stampMask.map { mask in settings.stamp.map(mask.isSound) ?? false } ?? true
  }
}

extension Source.Profile {
  fileprivate func isSound(area: Int32) -> Bool {
    areas.count == Self.levelCount && areas.allSatisfy { (0...area).contains($0) }
  }
}
