package import ArgumentParser
import SkyNetCommand
import SkyNetCore
import SkySimulation

/// How much is simulated, which chooses the simulation.
package struct SimulatedSectors: ParsableArguments {
  package init() {}

  @Option(parsing: .unconditional, help: "How many simulated sectors to scan.")
  package var total = 20

  package func validate() throws { try Check.range("total", total, 1...Int.max) }
}

/// The simulated sky that `engage` scans unless it is given something else.
package struct SimulationOptions: ParsableArguments {
  package init() {}

  @Option(
    parsing: .unconditional,
    help: TimeOption.help("How long a simulated scan takes. (default: 1s)"),
    transform: TimeOption.seconds)
  package var scanSeconds = 1.0

  @Option(
    parsing: .unconditional,
    help: """
      An attempt of a simulated scan fails with the probability 1/N, at most twice in a row for one \
      sector; with 1 all fail, with 0 none.
      """)
  package var failingEvery = 10

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The scans' lengths have a lognormal distribution with the median --scan-seconds and this σ; with \
      0 all take the same.
      """, visibility: .hidden))
  package var scanSpread = 0.0

  @Option(
    parsing: .unconditional,
    help: "The seed of the scans' lengths and of the attempts that fail.")
  package var seed: UInt64 = 1

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many bytes each sector carries to its system.", valueName: "bytes",
      visibility: .hidden))
  package var sectorBytes = 0

  var settings: SimulatedScan.Settings {
    SimulatedScan.Settings(
      lengths: ScanLengths(median: scanSeconds, spread: scanSpread, seed: seed),
      failingEvery: failingEvery, sectorBytes: sectorBytes)
  }

  package func validate() throws {
    try Check.seconds(
      "scan-seconds", scanSeconds, atLeast: 0, atMost: SimulatedScan.maximumSeconds)
    try Check.range("failing-every", failingEvery, 0...Int.max)
    try Check.range("scan-spread", scanSpread, 0...ScanLengths.maximumSpread)
    try Check.range("sector-bytes", sectorBytes, 0...SimulatedScan.maximumBytes)
  }
}
