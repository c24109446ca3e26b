import Foundation
import SkyNetCore
import SkyScan

/// A sector of 32-bit floats.
func floatSector(
  number: Int = 0, x: Int = 0, y: Int = 0, width: Int, height: Int, _ values: [Float]
) -> SourceSector {
  let bytes = values.flatMap { value in
    withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
  }
  return SourceSector(
    number: number, rectangle: PixelRectangle(x: x, y: y, width: width, height: height),
    coding: PixelCoding(format: .float32), pixels: Pixels(Data(bytes)))
}

/// Scans all of a job's sectors, one after the other, in the order given.
func scanAll(_ job: inout ImageJob, order: [Int]? = nil) async throws {
  for number in order ?? Array(0..<job.sectorCount) {
    let task = TaskID(sector: number)
    let sector = try await job.sector(for: task)
    let sources = try await job.scan.run(sector, settings: job.settings)
    _ = try job.receive(sources, for: task)
  }
}
