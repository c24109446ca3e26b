import SkyNetCore
import Synchronization

/// A call's message, from when it is made until it is sent. If it is large, a caller that waits for the
/// answer does not keep it in memory.
struct CallRequest: Sendable {
  /// A copy for each holder, or the one for all, which is gone when it was taken.
  private enum Content: Sendable {
    case small(Message)
    case large(Box)
  }

  private final class Box: Sendable {
    let message: Mutex<Message?>

    init(_ message: Message) {
      self.message = Mutex(message)
    }
  }

  /// A message of more bytes is worth the box that forgets it.
  private static let small = 4096

  let byteCount: Int
  let hasBulk: Bool
  private let content: Content

  init(_ message: Message) {
    byteCount = message.byteCount
    hasBulk = !message.bulk.isEmpty
    content = byteCount <= Self.small ? .small(message) : .large(Box(message))
  }

  /// The message, under the number of its call. To be taken once.
  func take(as call: UInt64) -> Message? {
    let taken: Message? =
      switch content {
      case .small(let message): message
      case .large(let box): box.message.withLock { $0.take() }
      }
    guard var message = taken else { return nil }
    message.call = call
    return message
  }
}

extension Message {
  var byteCount: Int { body.count + bulk.count }
}
