// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyDetection

/// The groups of measures that a source has in a message. A group that a source does not have takes no
/// bytes.
struct SourceGroups: OptionSet {
  let rawValue: UInt16

  static let kron = SourceGroups(rawValue: 1)
  static let cleaning = SourceGroups(rawValue: 1 << 1)
  static let height = SourceGroups(rawValue: 1 << 2)
  static let slopeArea = SourceGroups(rawValue: 1 << 3)
  static let kronVariance = SourceGroups(rawValue: 1 << 4)
  static let petrosian = SourceGroups(rawValue: 1 << 5)
  static let petrosianVariance = SourceGroups(rawValue: 1 << 6)
  static let positionErrors = SourceGroups(rawValue: 1 << 7)
  static let profile = SourceGroups(rawValue: 1 << 8)
  static let thresholds = SourceGroups(rawValue: 1 << 9)
  static let window = SourceGroups(rawValue: 1 << 10)
  static let weightCounts = SourceGroups(rawValue: 1 << 11)
  static let localBackground = SourceGroups(rawValue: 1 << 12)
  static let stampMask = SourceGroups(rawValue: 1 << 13)
  static let componentEnd = SourceGroups(rawValue: 1 << 14)
}

extension Source {
  /// The groups that the source has.
  var groups: SourceGroups {
    var groups: SourceGroups = []
    func take(_ group: SourceGroups, if hasGroup: Bool) {
      if hasGroup { groups.insert(group) }
    }
    take(.kron, if: kron != nil)
    take(.cleaning, if: cleaning != nil)
    take(.height, if: cleaning?.height != nil)
    take(.slopeArea, if: cleaning?.slopeArea != nil)
    take(.kronVariance, if: kron?.variance != nil)
    take(.petrosian, if: petrosian != nil)
    take(.petrosianVariance, if: petrosian?.variance != nil)
    take(.positionErrors, if: positionErrors != nil)
    take(.profile, if: profile != nil)
    take(.thresholds, if: thresholds != nil)
    take(.window, if: window != nil)
    take(.weightCounts, if: weightCounts != nil)
    take(.localBackground, if: localBackground != nil)
    take(.stampMask, if: stampMask != nil)
    take(.componentEnd, if: componentEnd != nil)
    return groups
  }

  /// The largest number of bytes of a source's optional measures.
  static func mostGroupBytes(_ settings: DetectionSettings) -> Int {
    let measures = settings.measures
    func bytes(_ count: Int, if isAsked: Bool) -> Int { isAsked ? count : 0 }
    let hasVariances = measures.contains(.fluxErrors)
    return bytes(24, if: settings.kron != nil) + bytes(24, if: settings.petrosian != nil)
      + bytes(20, if: settings.cleaning != nil)
      + settings.apertures.count * (hasVariances ? 16 : 8) + 8 * settings.fluxFractions.count
      + bytes(24, if: measures.contains(.positionErrors))
      + bytes(40, if: measures.contains(.profile))
      + bytes(8, if: measures.contains(.thresholds))
      + bytes(86, if: measures.contains(.window))
      + bytes(8, if: measures.contains(.weightCounts))
      + bytes(8, if: settings.localThickness != nil)
      + bytes(8, if: measures.contains(.componentEnds))
      + (settings.stamp.map { 2 + $0.maskBytes } ?? 0)
  }
}
