extension Component {
  /// The lowest thresholds of each of the component's sources.
  ///
  /// - Parameters:
  ///   - count: the number of sources.
  ///   - owners: the source of each pixel; empty if there is one source.
  func thresholds(of count: Int, owners: [Int]) -> [Source.SourceThresholds] {
    guard !variances.isEmpty else {
      let thresholds = Source.SourceThresholds(detection: threshold, analysis: analysisThreshold)
      return [Source.SourceThresholds](repeating: thresholds, count: count)
    }
    var thresholds = [Source.SourceThresholds](
      repeating: Source.SourceThresholds(detection: .infinity, analysis: .infinity),
      count: count)
    for pixel in 0..<area {
      let owner = owners.isEmpty ? 0 : owners[pixel]
      thresholds[owner].detection = min(thresholds[owner].detection, limits[pixel])
      thresholds[owner].analysis = min(
        thresholds[owner].analysis, analysisThreshold * variances[pixel].squareRoot())
    }
    return thresholds
  }
}
