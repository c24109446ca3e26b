import SkyNetCore

/// Writes the calls of `ScanSystem.run(_:)`, and reads their answers.
///
/// Swift's distributed thunk sends the same message. The coordinator does without it, as it makes a call
/// for each task: the thunk boxes the task, and names the method by a text that has to be looked up.
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

/// A peer answered a call with something that is no answer to it.
struct UnreadableAnswer: Error, CustomStringConvertible {
  let reason: String

  var description: String { "its answer cannot be read: \(reason)" }
}
