import SkyDetection

/// How many of a source's pixels have low weights. Cleaning does not add those of what it drops.
extension Column {
  static let weights = [weightFlags, lowWeights, steepWeights]

  static let weightFlags = Column(
    "FLAGS_WEIGHT", "1 low weights, 2 low weights when smoothed or beside",
    needs: .weightCounts, printed: .integer(width: 1),
    .int16 { row in
      let counts = row.source.weightCounts
      return (counts?.low ?? 0 > 0 ? 1 : 0) + (counts?.steep ?? 0 > 0 ? 2 : 0)
    })
  static let lowWeights = Column(
    "NLOWWEIGHT_ISO", "number of pixels with low weights", needs: .weightCounts,
    printed: .integer(width: 9), .int32 { Int($0.source.weightCounts?.low ?? 0) })
  static let steepWeights = Column(
    "NLOWDWEIGHT_ISO", "number of pixels with low smoothed weights, or beside them",
    needs: .weightCounts, printed: .integer(width: 9),
    .int32 { Int($0.source.weightCounts?.steep ?? 0) })
}
