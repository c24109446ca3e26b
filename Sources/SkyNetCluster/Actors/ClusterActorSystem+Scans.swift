import SkyNetCore

/// Writes calls of `ScanSystem.run(_:)`, and reads their answers.
///
/// Swift's distributed thunk sends the same message. The coordinator avoids the thunk, as it makes a call for
/// each task: the thunk boxes the task, and names the method by a string that has to be looked up.
extension ClusterActorSystem {
  /// The call that asks a peer to scan the task.
  func request(for task: ScanTask) throws -> CallRequest {
    let (body, bulk) = try coder.encode(task)
    return CallRequest(Message(.call, target: CallTargets.run, body: body, bulk: bulk))
  }

  /// Reads the answer to such a call.
  ///
  /// - Throws: ``UnreadableAnswer``, also if the answer is larger than the limit.
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

/// A peer's answer to a call cannot be decoded, or is too large.
struct UnreadableAnswer: Error, CustomStringConvertible {
  let reason: String

  var description: String { "its answer cannot be read: \(reason)" }
}
