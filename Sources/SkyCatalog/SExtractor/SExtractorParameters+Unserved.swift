/// SExtractor's columns that do not exist here.
extension SExtractorParameters {
  /// A group of such columns. A star at the beginning or the end of a pattern stands for any text.
  private struct Group {
    /// What they show; `nil` if it needs no word.
    let reason: String?
    let patterns: [String]
  }

  private static let groups = [
    Group(
      reason: "models",
      patterns: [
        "*PSF*", "*MODEL*", "*_HYBRID", "SPREAD*", "SPHEROID_*", "*_SPHEROID", "DISK_*", "*_DISK",
        "*_POINTSOURCE", "*_BACKOFFSET", "*_SOMFIT",
      ]),
    Group(reason: "polarisation", patterns: ["POLAR*"]),
    Group(reason: "growth curves", patterns: ["*_GROWTH*"]),
    Group(reason: "time", patterns: ["DURATION_ANALYSIS"]),
    Group(reason: "flag images", patterns: ["IMAFLAGS_ISO", "NIMAFLAGS_ISO"]),
    Group(reason: "associations", patterns: ["NUMBER_ASSOC", "VECTOR_ASSOC"]),
    Group(reason: "distortion maps", patterns: ["DGEO*", "VIGNET_DGEO*"]),
    Group(
      reason: nil,
      patterns: [
        "*_WORLD", "*_SKY", "*_J2000", "*_B1950", "*_FOCAL", "*_MAMA", "*_IMAGE_DBL", "VIGNET*",
        "CLASS_STAR", "FLAGS_WEIGHT", "ID_PARENT", "NLOWWEIGHT_ISO", "NLOWDWEIGHT_ISO",
        "THRESHOLDMAX",
      ]),
  ]

  /// The columns that SExtractor has and that do not exist here, in words; `nil` if the list has none. Columns of
  /// one kind stand together, with the kind.
  package var refused: String? {
    let names = unserved
    let parts = Self.groups.compactMap { group -> String? in
      let found = names.filter { Self.group(of: $0)?.patterns == group.patterns }
      guard !found.isEmpty else { return nil }
      return found.joined(separator: ", ") + (group.reason.map { " (\($0))" } ?? "")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The columns of the list that neither SExtractor nor this program knows.
  package var unknown: [String] { unserved.filter { Self.group(of: $0) == nil } }

  private static func group(of name: String) -> Group? {
    let name = name.uppercased()
    return groups.first { $0.patterns.contains { matches(name, $0) } }
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    let text = String(pattern.filter { $0 != "*" })
    switch (pattern.hasPrefix("*"), pattern.hasSuffix("*")) {
    case (true, true): return name.contains(text)
    case (true, false): return name.hasSuffix(text)
    case (false, true): return name.hasPrefix(text)
    case (false, false): return name == text
    }
  }

  /// The fault of a list that asks for columns of SExtractor's that do not exist here; `nil` if it does not.
  ///
  /// - Parameter file: the list's name in errors.
  func unservedFault(file: String) -> SExtractorFileError? {
    refused.map { refused in
      SExtractorFileError(
        .unsupported, file: file, fault: "there is no \(refused) here",
        nextStep: "remove it from the list; skynet sex -dp prints the columns that exist here")
    }
  }

  /// The fault of a list with which SExtractor leaves out sources; `nil` if it does not.
  ///
  /// - Parameter file: the list's name in errors.
  func associationFault(file: String) -> SExtractorFileError? {
    columns.first { ["VECTOR_ASSOC", "NUMBER_ASSOC"].contains($0.name.uppercased()) }.map {
      column in
      SExtractorFileError(
        .unsupported, file: file, line: column.line,
        fault:
          "\(column.name.uppercased()) makes SExtractor select sources by ASSOC_NAME, which does not exist here",
        nextStep: "remove the line, or set ASSOCSELEC_TYPE to ALL")
    }
  }
}
