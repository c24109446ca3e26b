import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTransport
import SkyScan

@testable import SkySimulation

/// A member that serves as a node, and gives every call an impossible answer.
final class LyingNode: Sendable {
  /// The answer to a task; with `nil` the task waits for ever.
  typealias FalseAnswer = @Sendable (_ task: TaskID) -> (json: String, bulk: Data)?

  /// The kinds of scan that nodes of this version know.
  static let kinds = [SimulatedScan.kind, SourceScan.kind]

  /// The `--timeout` of runs with lying nodes. These are the tests' own process, which may stand still for seconds on a
  /// busy machine, and are to be found out and not lost.
  static let timeout = "60"

  let port: Int
  /// How many calls the node has received.
  let calls = AwaitedValue(0)
  private let listener: any Listener
  private let serving: Task<Void, Never>

  /// - Parameters:
  ///   - handsBack: whether its answers are failures, such as that it takes no new calls.
  ///   - isInsecure: whether it connects without the cluster's key, as `--insecure` does.
  init(
    _ name: String, slots: Int = 2, kinds: [ScanKind] = LyingNode.kinds, handsBack: Bool = false,
    isInsecure: Bool = false, on stage: Stage, _ lie: @escaping FalseAnswer
  ) async throws {
    let file = KeyFile(path: stage.account + "/skynet/cluster.key")
    let transport = TCPTransport(
      isInsecure ? .insecure : try TransportSecurity(key: try file.read()))
    listener = try await transport.listen(on: Endpoint(host: "127.0.0.1", port: 0))
    port = listener.endpoint.port
    let hello = Hello(
      name: name, incarnation: Incarnation(), slots: slots, timeout: .seconds(5),
      scans: kinds)
    serving = Task { [listener, calls] in
      await withDiscardingTaskGroup { group in
        for await connection in listener.connections {
          group.addTask {
            connection.send(Message(.hello, encoding: hello))
            try? await connection.receive { message in
              Self.answer(message, by: handsBack ? .failure : .reply, over: connection, calls, lie)
            }
          }
        }
      }
    }
  }

  private static func answer(
    _ message: Message, by kind: FrameKind, over connection: any Connection,
    _ calls: AwaitedValue<Int>,
    _ lie: FalseAnswer
  ) {
    switch message.kind {
    case .ping: connection.send(Message(.pong))
    case .call:
      calls.change { $0 += 1 }
      if kind == .reply { connection.send(Message(.started, call: message.call)) }
      guard let task = try? JSONDecoder().decode(Call.self, from: message.body),
        let answer = lie(TaskID(pass: task.pass, sector: task.number))
      else { return }
      connection.send(
        Message(kind, call: message.call, body: Data(answer.json.utf8), bulk: answer.bulk))
    default: break
    }
  }

  private struct Call: Decodable {
    let pass: Int
    let number: Int
  }

  func stop() {
    listener.close()
    serving.cancel()
  }

  /// A result of a kind, with this JSON as its output.
  static func result(_ kind: String, _ output: String, seconds: String = "0.01") -> String {
    #"{"kind":"\#(kind)","output":\#(output),"seconds":\#(seconds),"queued":0}"#
  }
}
