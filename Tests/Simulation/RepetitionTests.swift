import Foundation
import SkyNetCore
import Testing

@Suite("Repeatable seeds")
struct RepetitionTests {
  static let file = "SKYNET_DIGEST_FILE"

  /// A digest of all events in the worlds of some seeds.
  private var digest: String {
    (UInt64(0)..<60).map { seed in
      var world = World(seed: seed, digests: true)
      _ = world.run()
      return "\(seed) \(world.steps) \(world.now.sinceOrigin) \(world.trace.digest)"
    }
    .joined(separator: "\n")
  }

  @Test("A seed makes the same world again, even in a process with other hashing")
  func repeats() async throws {
    let here = digest
    #expect(here == digest)
    // The child process ends here.
    if let file = ProcessInfo.processInfo.environment[Self.file] {
      return try Data(here.utf8).write(to: URL(filePath: file))
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "digest-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    let other = Process()
    other.executableURL = URL(filePath: CommandLine.arguments[0])
    other.arguments = ["--testing-library", "swift-testing", "--filter", "RepetitionTests"]
    other.environment = ["SWIFT_DETERMINISTIC_HASHING": "1", Self.file: file.path]
    other.environment?["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    other.standardOutput = FileHandle.nullDevice
    other.standardError = FileHandle.nullDevice
    let ended = AsyncStream<Void>.makeStream()
    other.terminationHandler = { _ in ended.continuation.finish() }
    try other.run()
    for await _ in ended.stream {}
    #expect(try String(contentsOf: file, encoding: .utf8) == here)
  }
}
