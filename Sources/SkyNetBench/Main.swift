/// Benchmarks of single rooms: `SkyNetBench journal`.
@main
enum SkyNetBench {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.first == "journal" else { throw BenchError("say what to measure: journal") }
    try await JournalBench.run(Array(arguments.dropFirst()))
  }
}
