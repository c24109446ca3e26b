import Foundation
import SkyNetCore
import SkyTestSupport

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// A patch of 32-bit floats.
func floatPatch(x: Int = 0, y: Int = 0, width: Int, height: Int, _ values: [Float]) -> ImagePatch {
  let bytes = values.flatMap { value in
    withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
  }
  return ImagePatch(
    PixelRectangle(x: x, y: y, width: width, height: height), pixels: BulkBytes(Data(bytes)))
}

/// Default settings for an image of 32-bit floats in one sector.
func floatSettings(width: Int, height: Int) throws -> SourceScan.Settings {
  SourceScan.Settings(
    grid: try SectorGrid(width: width, height: height, side: 4096),
    coding: PixelCoding(format: .float32))
}

/// Runs a job's first pass, which makes its background.
func scanBackground(_ job: inout ImageJob) async throws {
  for sector in 0..<job.sectorCount {
    let task = TaskID(pass: 0, sector: sector)
    let found = try await job.scan.run(try await job.sector(for: task), settings: job.settings)
    try job.check(found, for: task)
    _ = try job.receive(found, for: task)
  }
}

/// Runs all of a job's tasks, one after the other, and those of each pass forwards or backwards.
func scanAll(_ job: inout ImageJob, backwards: Bool = false) async throws {
  var tasks = [TaskRange(pass: 0, sectors: 0..<job.sectorCount)]
  var results: [Int: Int] = [:]
  while !tasks.isEmpty {
    let pass = tasks.flatMap { range in
      range.sectors.map { TaskID(pass: range.pass, sector: $0) }
    }
    tasks = []
    for task in backwards ? pass.reversed() : pass {
      let sector = try await job.sector(for: task)
      let found = try await job.scan.run(sector, settings: job.settings)
      // The checks against lying systems must never refuse honest findings.
      try job.check(found, for: task)
      let (size, limit) = (try size(of: found), job.outputLimit(for: task))
      guard size.json <= limit.json, size.bulk <= limit.bulk else {
        throw InvalidScan("findings of \(size), and at most \(limit) are let through")
      }
      let reception = try job.receive(found, for: task)
      tasks += reception.added
      if let result = reception.result as? Int { results[task.sector] = result }
    }
  }
  // Each sector has a result, and all sources together are the catalogue.
  guard results.count == job.sectorCount,
    results.values.reduce(0, +) == job.catalog.sources.count
  else { throw InvalidScan("\(results) and \(job.catalog.sources.count) sources") }
}

/// The size of findings in a message.
func size(of findings: SourceScan.Findings) throws -> OutputLimit {
  let encoder = JSONEncoder()
  let bulk = BulkWriter()
  encoder.userInfo[.bulkWriter] = bulk
  return OutputLimit(json: try encoder.encode(findings).count, bulk: bulk.bytes.count)
}

extension ImageJob {
  func check(_ found: SourceFound, for task: TaskID) throws {
    try check(SourceScan.Findings(found), for: task)
  }
}

extension SourceScan {
  func findings(in work: SourceWork, settings: SourceScan.Settings) throws -> SourceScan.Findings {
    try findings(in: SourceScan.Sector(work), settings: settings)
  }
}
