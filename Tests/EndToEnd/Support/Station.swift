import Foundation

/// Where a node runs, and is started again when it has ended: a new process each time.
actor Station {
  let name: String
  private let start: @Sendable () async throws -> RunningNode
  private var nodes: [RunningNode]
  /// The most memory that any of its nodes had, in KiB, as far as it was looked at.
  private(set) var peakMemory = 0

  init(_ first: RunningNode, again start: @Sendable @escaping () async throws -> RunningNode) {
    name = first.name
    nodes = [first]
    self.start = start
  }

  /// A station on the loopback interface whose node keeps its port.
  static func onLoopback(_ name: String, _ stage: Stage, _ options: String...) async throws
    -> Station
  {
    let arguments = ["node", "--name", name, "--host", "127.0.0.1", "--no-discovery"] + options
    let first = try await RunningNode(stage.skynet(arguments))
    return Station(first) {
      try await RunningNode(stage.skynet(arguments + ["--port", "\(first.port)"]))
    }
  }

  var node: RunningNode { nodes[nodes.count - 1] }

  /// How often it was started again.
  var restarts: Int { nodes.count - 1 }

  /// All that its nodes wrote to standard error.
  var log: [String] { nodes.flatMap { $0.process.soFar.errors } }

  func send(_ signal: Int32) {
    notePeak()
    node.process.send(signal)
  }

  func startAgain() async throws { nodes.append(try await start()) }

  /// Ends its node by a signal and returns the exit status.
  @discardableResult
  func end(by signal: Int32, within limit: Duration = .ample) async throws -> Int32? {
    send(signal)
    return try await node.process.end(within: limit).status
  }

  private func notePeak() {
    if node.process.soFar.status == nil, let peak = Memory.peak(of: node.process.id) {
      peakMemory = max(peakMemory, peak)
    }
  }
}
