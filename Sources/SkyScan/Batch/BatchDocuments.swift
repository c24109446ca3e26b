/// What one process of a batch found of one sector.
public struct SectorDocument: Codable, Hashable, Sendable {
  /// What tells the scan from others.
  let key: String
  /// The job's pass (`ImageJob.Pass`).
  let pass: Int
  public let sector: Int
  let findings: SourceFindings
}

/// The background of a whole image, and the settings that it was made with, which hold for the
/// sources too.
public struct BackgroundDocument: Codable, Sendable {
  /// What tells the scan from others.
  let key: String
  public let settings: SourceSettings
  /// None, if too few pixels have values.
  let background: Background?
}
