import Foundation
import SkyScan
import Testing

/// An attacker who makes a member read a file of a chosen name could choose the key file, so no
/// message may quote any of it.
@Suite("The key in messages", .timeLimit(.ample))
struct KeyInMessagesTests {
  /// The key in many forms: alone on a line, after keywords of each file format, and in other
  /// texts.
  private static func texts(of key: String) -> [String] {
    let digits = key.dropFirst("skynet-key-".count)
    return [
      key, digits.uppercased(), digits.uppercased().split(every: 30).joined(separator: "\n"),
      "CONV NORM\n\(key)", "NUMBER\n\(key)", "DETECT_THRESH \(key)", "FILTER_NAME $\(key)",
      "BACK_FILTERSIZE 5,\(key)", "CATALOG_TYPE \(key)", "CATALOG_NAME \(key)",
      #"{"key":"\#(key)","pass":"\#(key)"}"#,
    ]
  }

  @Test("No message quotes any part of a key that a file holds")
  func noMessageQuotesAKey() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 128, height: 128, starCount: 3).write(to: image)
      let key = try #require(try await stage.skynet("key", "show").end().output.first)
      let background = stage.file("background.json")
      let made = try await stage.skynet(
        "scan", "--image", image, "--background", "--sector", "0", "--output",
        stage.file("sector.json")
      ).end()
      #expect(made.status == 0)
      let merged = try await stage.skynet(
        "merge", "--image", image, "--background", "--output", background,
        stage.file("sector.json")
      ).end()
      #expect(merged.status == 0)

      let secrets = try Self.texts(of: key).enumerated().map { number, text in
        let path = stage.file("secret-\(number)")
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path))
        return path
      }
      for secret in secrets + [stage.account + "/skynet/cluster.key"] {
        for arguments in try commands(naming: secret, image, background, on: stage) {
          let story = try await stage.skynet(arguments).end()
          let said = (story.output + story.errors).joined(separator: "\n")
          // Messages may name files; the names contain nothing of the key.
          let rest = said.replacing(secret, with: "").uppercased()
          let leak = Self.parts(of: key).first { rest.contains($0) }
          #expect(leak == nil, "\(arguments): \(said)")
          #expect(story.status != 0 || story.errors.contains { $0.hasPrefix("note: ") })
        }
      }
    }
  }

  /// Every command that reads a file with a chosen name.
  private func commands(
    naming secret: String, _ image: String, _ background: String, on stage: Stage
  ) throws -> [[String]] {
    let engage = ["engage", "--no-discovery", "--slots", "1", "--image", image]
    let configurations = try [
      "PARAMETERS_NAME \(secret)", "FILTER_NAME \(secret)",
      "WEIGHT_TYPE MAP_WEIGHT\nWEIGHT_IMAGE \(secret)",
    ].enumerated().map { number, text in
      let path = stage.file("\(number).sex")
      try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path))
      return path
    }
    return configurations.map { engage + ["--config", $0] } + [
      engage + ["--config", secret], engage + ["--kernel", secret], engage + ["--weight", secret],
      ["engage", "--no-discovery", "--image", secret],
      ["engage", "--no-discovery", "--total", "1", "--journal", secret], ["runs", secret],
      ["scan", "--image", image, "--background-file", secret, "--sector", "0"],
      ["merge", "--image", image, "--background", secret],
      ["merge", "--image", image, "--background-file", background, secret],
      [
        "node", "--no-discovery", "--tls-certificate", secret, "--tls-key", secret, "--tls-ca",
        secret,
      ],
    ]
  }

  /// All parts of eight characters of the key's digits, in upper case.
  private static func parts(of key: String) -> [String] {
    let digits = Array(key.dropFirst("skynet-key-".count).uppercased())
    return (0...digits.count - 8).map { String(digits[$0..<$0 + 8]) }
  }
}

extension String {
  fileprivate func split(every count: Int) -> [String] {
    stride(from: 0, to: self.count, by: count).map { start in
      String(dropFirst(start).prefix(count))
    }
  }
}
