import SkyNetCore

/// A job of one pass over sectors that are given, or made on demand. A sector's result is its scan's output.
struct SectorsJob<Work: Scan>: Job {
  let settings: Work.Settings
  let sectorCount: Int
  /// Whether sectors are only looked up.
  let isLight: Bool
  let makeSector: @Sendable (Int) async throws -> Work.Sector

  func sector(for task: TaskID) async throws -> Work.Sector { try await makeSector(task.sector) }

  func receive(_ output: Work.Output, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}
