import Foundation

/// Starts a crashing node again each time, as a process manager does.
struct Supervisor {
  static let name = "churning"
  static let slots = 8
  private static let rest = Duration.milliseconds(200)

  let stage: Stage
  /// The ports where the node listens, in turn.
  let ports: [Int]
  let life: Duration

  /// Starts the node and kills it, again and again, until cancelled.
  func run() async throws {
    for number in 0... {
      let node = try stage.skynet(
        "node", "--name", Self.name, "--host", "127.0.0.1", "--no-discovery", "--slots",
        "\(Self.slots)", "--port", "\(ports[number % ports.count])")
      try await Endurance.pass(life)
      node.send(SIGKILL)
      _ = try await node.end()
      try await Endurance.pass(Self.rest)
    }
  }
}
