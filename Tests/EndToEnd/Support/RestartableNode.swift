import Foundation

/// A node that can be started again after its end, each time as a new process.
actor RestartableNode {
  let name: String
  private let start: @Sendable () async throws -> RunningNode
  private var nodes: [RunningNode]
  /// The most memory that any of its processes used, in KiB, by samples.
  private(set) var peakMemory = 0

  init(_ first: RunningNode, again start: @Sendable @escaping () async throws -> RunningNode) {
    name = first.name
    nodes = [first]
    self.start = start
  }

  /// Starts a node on the loopback interface that keeps its port.
  static func onLoopback(_ name: String, _ stage: Stage, _ options: String...) async throws
    -> RestartableNode
  {
    let arguments = ["node", "--name", name, "--host", "127.0.0.1", "--no-discovery"] + options
    let first = try await RunningNode(stage.skynet(arguments))
    return RestartableNode(first) {
      try await RunningNode(stage.skynet(arguments + ["--port", "\(first.port)"]))
    }
  }

  var current: RunningNode { nodes[nodes.count - 1] }

  /// How often the node was started again.
  var restarts: Int { nodes.count - 1 }

  /// The standard error of all its processes.
  var log: [String] { nodes.flatMap { $0.process.soFar.errors } }

  func send(_ signal: Int32) {
    notePeak()
    current.process.send(signal)
  }

  func startAgain() async throws { nodes.append(try await start()) }

  /// Ends the node by a signal, and returns the exit status.
  @discardableResult
  func end(by signal: Int32, within limit: Duration = .ample) async throws -> Int32? {
    send(signal)
    return try await current.process.end(within: limit).status
  }

  private func notePeak() {
    if current.process.soFar.status == nil, let peak = Memory.peak(of: current.process.id) {
      peakMemory = max(peakMemory, peak)
    }
  }
}
