import Foundation

/// A stage for programs: its nodes and engagements are marked, so that it can be seen what is left of them.
struct ProgramStage {
  let stage: Stage
  let marked = MarkedProcesses()

  static func with(_ test: (ProgramStage) async throws -> Void) async throws {
    try await Stage.with { try await test(ProgramStage(stage: $0)) }
  }

  func file(_ name: String) -> String { stage.file(name) }

  func node(
    _ name: String, _ options: String..., environment: [String: String] = [:]
  ) async throws -> RunningNode {
    try await RunningNode(
      stage.launch(
        Paths.binary, ["node", "--name", name, "--host", "127.0.0.1", "--no-discovery"] + options,
        marked.environment.merging(environment) { $1 }))
  }

  /// Starts an engagement in the stage's folder that leaves all programs to these nodes; without any, to its own slots.
  func engage(
    _ nodes: [RunningNode] = [], _ options: String..., environment: [String: String] = [:]
  ) throws -> RunningEngagement {
    let places = nodes.isEmpty ? [] : ["--no-local", "--wait-for", "\(nodes.count)"]
    return try stage.engage(
      peers: nodes.map(\.port), places + options, marked.environment.merging(environment) { $1 },
      in: file(""))
  }

  /// Writes a script of sh that may be executed, and returns its path.
  @discardableResult
  func script(_ name: String, _ lines: String) throws -> String {
    let path = file(name)
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: URL(fileURLWithPath: path + ".text"))
    try stage.makeExecutable(path, from: path + ".text")
    return path
  }

  func write(_ text: String, to name: String) throws {
    let path = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: path)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }

  func lines(of name: String) -> [Substring] {
    ((try? read(name)) ?? "").split(separator: "\n")
  }

  /// Runs lines of sh in the stage's folder, and expects that they succeed.
  @discardableResult
  func shell(_ lines: String) async throws -> RunningProcess.Story {
    let story = try await stage.launch(
      "/bin/sh", ["-euc", "cd \"$0\"\n" + lines, file("")], marked.environment
    ).end()
    guard story.status == 0 else { throw Unexpected("\(lines): \(story.errors.prefix(3))") }
    return story
  }
}

extension Outcome {
  /// What was told of each failed attempt.
  var reasons: [String] { results.flatMap { $0.error ?? [] }.map(\.reason) }

  /// The text that each sector's program wrote.
  var texts: [Int: String] {
    results.reduce(into: [:]) { texts, line in
      if case .text(let text)? = line.result { texts[line.sector] = text }
    }
  }
}
