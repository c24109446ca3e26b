import Foundation
import SkyScan
import Testing

/// Made-up frames of a night in a stage's folder, and the catalogues that each has in a run alone.
struct NightFrames {
  let stage: Stage
  /// The options of every run over the frames, besides images and outputs.
  let options: [String]
  private(set) var paths: [String] = []

  init(on stage: Stage, options: [String] = []) throws {
    self.stage = stage
    self.options = options
    for folder in ["night", "out", "alone"] {
      try FileManager.default.createDirectory(
        atPath: stage.file(folder), withIntermediateDirectories: true)
    }
  }

  /// Draws frames of one sector each, with names from `frame1` on.
  mutating func add(_ count: Int, side: Int = 256) async throws {
    for _ in 0..<count {
      try await add("frame\(paths.count + 1).fits", width: side, height: side)
    }
  }

  /// Draws one frame. A side of more than 4096 pixels has it cut into sectors.
  mutating func add(_ name: String, width: Int, height: Int) async throws {
    let path = stage.file("night/\(name)")
    try await Self.draw(path, width: width, height: height, seed: paths.count + 1)
    paths.append(path)
  }

  static func draw(_ path: String, width: Int = 256, height: Int = 256, seed: Int) async throws {
    try await SyntheticSky(
      width: width, height: height, starCount: min(40, width * height / 2000),
      seed: UInt64(seed)
    ).write(to: path)
  }

  /// The arguments for all frames, with a catalogue for each.
  func arguments(and more: [String] = [], images: [String] = []) -> [String] {
    ["--image"] + paths + images + ["--catalog", stage.file("out/{name}.csv")] + options + more
  }

  func catalog(of path: String, in folder: String = "out") -> String {
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return stage.file("\(folder)/\(name).csv")
  }

  /// The catalogue of a run over one frame alone.
  func alone(_ path: String) async throws -> Data {
    let catalog = catalog(of: path, in: "alone")
    let run = try await stage.engage(["--image", path, "--catalog", catalog] + options).outcome()
    try #require(run.status == 0, "\(run.errors)")
    return try Data(contentsOf: URL(fileURLWithPath: catalog))
  }

  /// The catalogues of all frames in runs alone.
  func alone() async throws -> [String: Data] {
    var catalogs: [String: Data] = [:]
    for path in paths { catalogs[path] = try await alone(path) }
    return catalogs
  }

  /// Expects that each catalogue that is there is one of a run alone. A process that is killed while it writes one
  /// leaves a file with another ending.
  ///
  /// - Returns: how many there are.
  @discardableResult
  func expectWhole(
    _ alone: [String: Data], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Int {
    var count = 0
    for (path, catalog) in alone {
      guard let data = FileManager.default.contents(atPath: self.catalog(of: path)) else {
        continue
      }
      count += 1
      #expect(data == catalog, "\(path)", sourceLocation: sourceLocation)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: stage.file("out"))
    let catalogs = Set(
      alone.keys.map { URL(fileURLWithPath: self.catalog(of: $0)).lastPathComponent })
    #expect(
      names.allSatisfy { catalogs.contains($0) || $0.hasSuffix(".partial") }, "\(names)",
      sourceLocation: sourceLocation)
    return count
  }
}

/// The line about images at a night's end.
struct NightLine {
  let done: Int
  let total: Int
  let failed: Int
  let before: Int
  let left: Int

  /// - Throws: if standard error has no such line.
  init(_ errors: [String]) throws {
    let pattern = try Regex(
      #"(\d+) of (\d+) images, \d+ sources(?:, (\d+) failed)?(?:, (\d+) done before)?"#
        + #"(?:, (\d+) left: .*)?"#)
    let line = try #require(errors.last { $0.contains(" images, ") }, "\(errors)")
    let match = try #require(try pattern.wholeMatch(in: line), "\(line)").output
    func number(_ index: Int) -> Int { match[index].substring.flatMap { Int($0) } ?? 0 }
    (done, total, failed) = (number(1), number(2), number(3))
    (before, left) = (number(4), number(5))
  }
}
