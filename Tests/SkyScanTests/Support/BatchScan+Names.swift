@testable import SkyScan

extension BatchScan {
  /// The background of a sector's meshes.
  func background(ofSector number: Int) async throws -> SectorDocument {
    try await document(number, over: nil)
  }

  func sources(
    ofSector number: Int, over background: BackgroundDocument
  ) async throws -> SectorDocument {
    try await document(number, over: background)
  }

  private func document(
    _ number: Int, over background: BackgroundDocument?
  ) async throws -> SectorDocument {
    var documents: [SectorDocument] = []
    try await scan([number..<number + 1], over: background) { documents.append($0) }
    return documents[0]
  }

  /// The background of documents that have names.
  func background(
    from names: [String], _ read: (String) throws -> SectorDocument
  ) throws -> BackgroundDocument {
    var names = names[...]
    return try background { try names.popFirst().map { ($0, try read($0)) } }
  }

  /// The catalogue of documents that have names.
  func catalog(
    from names: [String], over background: BackgroundDocument,
    _ read: (String) throws -> SectorDocument
  ) async throws -> ImageJob {
    var names = names[...]
    return try await catalog(
      from: { try names.popFirst().map { ($0, try read($0)) } }, over: background)
  }
}
