import Foundation
import SkyNetCore
import Testing

@testable import SkySimulation

@Suite("Simulated scans")
struct SimulatedScanTests {
  @Test("A scan takes its duration divided by the speed")
  func speed() async throws {
    let scan = SimulatedScan(speed: 4)
    #expect(scan.seconds(0, .init(seconds: 2)) == 0.5)
    let took = try await ContinuousClock().measure {
      _ = try await scan.run(.init(0), settings: .init(seconds: 0.2))
    }
    #expect(took >= .milliseconds(50))
  }

  @Test("A running scan ends when it is cancelled")
  func cancelling() async {
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      start.finish()
      try blockThread(for: 3600)
    }
    for await _ in started {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(
    "An impossible duration is refused",
    arguments: [-1, 1e300, .nan, .infinity])
  func seconds(seconds: Double) async {
    let scan = SimulatedScan()
    await #expect(throws: InvalidSimulation.self) {
      _ = try await scan.run(.init(0), settings: .init(seconds: seconds))
    }
  }

  @Test(
    "An impossible spread is refused",
    arguments: [-1, 1e300, .nan])
  func spread(spread: Double) async {
    let scan = SimulatedScan()
    let settings = SimulatedScan.Settings(lengths: .init(median: 0, spread: spread))
    await #expect(throws: InvalidSimulation.self) {
      _ = try await scan.run(.init(0), settings: settings)
    }
  }

  @Test(
    "A number of bytes other than the settings' is refused",
    arguments: [nil, 0, 99, 101])
  func bytes(count: Int?) async {
    let scan = SimulatedScan()
    let sector = SimulatedScan.Sector(0, pixels: count.map { BulkBytes(Data(count: $0)) })
    let settings = SimulatedScan.Settings(lengths: .init(median: 0), sectorBytes: 100)
    await #expect(throws: InvalidSimulation.self) {
      _ = try await scan.run(sector, settings: settings)
    }
  }

  @Test("A sector with pixels gives the same result")
  func pixels() async throws {
    let settings = SimulatedScan.Settings(lengths: .init(median: 0), sectorBytes: 100)
    let job = SimulatedJob(sectorCount: 3, settings: settings)
    let sector = job.sector(for: TaskID(sector: 2))
    #expect(sector.pixels?.bytes.count == 100)
    let output = try await SimulatedScan().run(sector, settings: settings)
    #expect(output == "2")
  }

  @Test("Durations and pixels are not part of a job's identity")
  func identity() {
    let settings = SimulatedScan.Settings(
      lengths: .init(median: 2, spread: 1, seed: 3), failingEvery: 0, sectorBytes: 100)
    let job = SimulatedJob(sectorCount: 3, settings: settings)
    #expect(job.identity() == SimulatedJob(sectorCount: 3).identity())
  }

  @Test("A simulated job's sectors are its numbers")
  func numbers() throws {
    var job = SimulatedJob(sectorCount: 3)
    #expect(job.sectorCount == 3)
    #expect(job.sector(for: TaskID(sector: 2)) == SimulatedScan.Sector(2))
    let reception = job.receive("2", for: TaskID(sector: 2))
    let result = try #require(reception.result)
    #expect(try JSONEncoder().encode(result) == Data("\"2\"".utf8))
    #expect(reception.added.isEmpty)
  }
}
