import SkyNetCore

/// What a peer is asked for a scan with, and what it answers.
///
/// It is what `ScanSystem.run(_:)` sends and reads, by a shorter way, as that is called for each task:
/// Swift's distributed thunk boxes the task, names the method by a text that has to be looked up, and
/// hands on nothing else but task-local values.
extension ClusterActorSystem {
  /// The call that asks for this scan.
  func request(for task: ScanTask) throws -> CallRequest {
    let (body, bulk) = try coder.encode(task)
    return CallRequest(Message(.call, target: CallTargets.run, body: body, bulk: bulk))
  }

  /// Reads the answer.
  ///
  /// - Throws: ``UnreadableAnswer``.
  func result(from reply: Message, limit: OutputLimit) throws -> ScanResult {
    let (count, bulkCount) = (reply.body.count, reply.bulk.count)
    guard count <= limit.json, bulkCount <= limit.bulk else {
      throw UnreadableAnswer(
        reason: "\(count) bytes and \(bulkCount) of bulk, where at most \(limit.json) and "
          + "\(limit.bulk) can be")
    }
    do {
      return try coder.decodeResult(from: reply)
    } catch {
      throw UnreadableAnswer(reason: "\(error)".bounded)
    }
  }
}

/// A call's answer is not what such a call is answered with.
struct UnreadableAnswer: Error, CustomStringConvertible {
  let reason: String

  var description: String { "its answer cannot be read: \(reason)" }
}
