import SkyNetCore
import Synchronization

/// A message on its way to the connection: whoever waits for its answer does not keep it in memory.
final class Parcel: Sendable {
  let byteCount: Int
  let hasBulk: Bool
  private let message: Mutex<Message?>

  init(_ message: Message) {
    byteCount = message.byteCount
    hasBulk = !message.bulk.isEmpty
    self.message = Mutex(message)
  }

  /// The message, once, under the number of its call.
  func take(as call: UInt64) -> Message? {
    guard var message = message.withLock({ $0.take() }) else { return nil }
    message.call = call
    return message
  }
}

extension Message {
  var byteCount: Int { body.count + bulk.count }
}
