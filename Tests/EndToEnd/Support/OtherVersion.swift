import Foundation
import Testing

/// A program of a neighbouring version of SkyNet, to run beside the one under test.
struct OtherVersion {
  let binary: String
  /// What it calls its version.
  let name: String

  /// The last release's program, which `SKYNET_FORMER_BINARY` names. Without it, a copy of the program under
  /// test that calls itself by another version: it shows that nothing hangs on the number, and no more.
  init(on stage: Stage) async throws {
    if let former = ProcessInfo.processInfo.environment["SKYNET_FORMER_BINARY"] {
      binary = former
    } else {
      binary = stage.file("skynet-of-another-version")
      let original = stage.file("another-version")
      try Self.altered().write(to: URL(fileURLWithPath: original))
      try stage.makeExecutable(binary, from: original)
    }
    let version = try await stage.launch(binary, ["--version"]).end().output.joined()
    name = try String(#require(version.firstMatch(of: /skynet (\S+)/)).1)
  }

  private static let ownVersion = Data("0.1.0\0".utf8)
  private static let otherVersion = Data("0.0.9\0".utf8)

  private static func altered() throws -> Data {
    var program = try Data(contentsOf: URL(fileURLWithPath: Paths.binary))
    var rest = program.startIndex..<program.endIndex
    while let place = program.range(of: ownVersion, in: rest) {
      program.replaceSubrange(place, with: otherVersion)
      rest = place.upperBound..<program.endIndex
    }
    return program
  }
}
