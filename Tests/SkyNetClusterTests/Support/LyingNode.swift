import SkyNetCore
import SkyNetTestKit

import struct Foundation.Data

extension TestCluster {
  /// Starts a node that speaks the protocol, and answers each call with this JSON. Returns the calls that it
  /// receives.
  func lyingNode(
    _ host: String, _ kind: FrameKind = .reply, answering json: String
  ) async throws -> Watched<[Message]> {
    let calls = Watched<[Message]>([])
    try await rawListener(host) { peer in
      peer.sayHello(name: host)
      Task {
        var answered = 0
        while true {
          let known = answered
          let all = try await peer.received.wait { messages in
            messages.count { $0.kind == .call } > known
          }
          for call in all.filter({ $0.kind == .call }).dropFirst(answered) {
            calls.update { $0.append(call) }
            peer.send(Message(kind, call: call.call, body: Data(json.utf8)))
            answered += 1
          }
        }
      }
    }
    discovery.found(host, at: Endpoint(host: host, port: 7000))
    return calls
  }
}

/// A job of probes that checks their outputs.
struct CheckedJob: Job {
  struct Wrong: Error, CustomStringConvertible {
    let output: String

    var description: String { "\(output) is no probe's" }
  }

  typealias Work = ProbeScan

  private var probes: ProbeJob
  var settings: String { probes.settings }
  var sectorCount: Int { probes.sectorCount }
  var outputs: [Int: [String]] { probes.outputs }
  var expected: [Int: [String]] { probes.expected }

  init(sectors: Int) {
    probes = ProbeJob(sectors: sectors)
  }

  func sector(for task: TaskID) -> Int { task.sector }

  func check(_ output: String, for task: TaskID) throws {
    guard expected[task.sector] == [output] else { throw Wrong(output: output) }
  }

  mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    probes.receive(output, for: task)
  }
}
