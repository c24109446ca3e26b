import Foundation
import SkyNetCore
import Testing

@testable import SkySimulation

@Suite("Simulated durations")
struct ScanLengthsTests {
  @Test("Without a spread, all durations are equal")
  func noSpread() {
    let lengths = ScanLengths(median: 0.25, seed: 9)
    #expect((0..<100).allSatisfy { lengths.seconds(of: $0) == 0.25 })
  }

  /// The expected durations are those of another implementation, `Benchmarks/cluster/lengths.py`.
  @Test(
    "A duration follows from the seed and the sector's number",
    arguments: [
      (1, 0, 0.009498977016230533), (1, 1, 0.00023515365038648907), (1, 19_999, 0.677264822108662),
      (77, 0, 0.0022860624151256267), (77, 123_456_789, 0.0016282795005345973),
    ])
  func seed(seed: UInt64, sector: Int, seconds: Double) {
    let length = ScanLengths(median: 0.01, spread: 1.5, seed: seed).seconds(of: sector)
    #expect(abs(length / seconds - 1) < 1e-12)
  }

  @Test("Durations have a lognormal distribution")
  func lognormal() {
    let lengths = ScanLengths(median: 3, spread: 0.7)
    let logs = (0..<20_000).map { log(lengths.seconds(of: $0) / 3) }
    let mean = logs.reduce(0, +) / 20_000
    let variance = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
    // For 20,000 values, the standard error of the mean is 0.005, and that of the deviation is
    // 0.0035.
    #expect(abs(mean) < 0.02)
    #expect(abs(variance.squareRoot() - 0.7) < 0.014)
    let within = logs.count { abs($0) < 0.7 }
    #expect(abs(Double(within) / 20_000 - 0.6827) < 0.013)
  }

  @Test("The longest duration is bounded")
  func bounded() {
    let lengths = ScanLengths(median: 80_000, spread: 10)
    let all = (0..<1000).map { lengths.seconds(of: $0) }
    #expect(all.max() == SimulatedScan.maximumSeconds)
    #expect(all.allSatisfy { $0 >= 0 })
  }

  /// `Benchmarks/run makespan` computes the least possible time from the script's durations.
  @Test(
    "The benchmark's script draws the same durations",
    .enabled(if: python != nil, "there is no python3"))
  func script() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Benchmarks/cluster/lengths.py")
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.python))
    process.arguments = [script.path, "500", "0.01", "1.5", "3"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let theirs = text.split(separator: "\n").compactMap { Double($0) }
    let lengths = ScanLengths(median: 0.01, spread: 1.5, seed: 3)
    try #require(theirs.count == 500)
    for (sector, seconds) in theirs.enumerated() {
      #expect(abs(lengths.seconds(of: sector) / seconds - 1) < 1e-12)
    }
  }

  private static var python: String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
