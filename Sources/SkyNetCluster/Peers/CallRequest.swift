import SkyNetCore
import Synchronization

/// A call's message, from when it is made until it is sent. A caller that waits for the answer does not keep
/// a large message in memory.
struct CallRequest: Sendable {
  /// Each copy of a request has its own small message. All copies share a large one, which is gone once
  /// ``take(as:)`` has returned it.
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

  /// A message of more bytes goes into a box. The box costs an allocation, and frees the message when it is
  /// sent.
  private static let boxThreshold = 4096

  let byteCount: Int
  let hasBulk: Bool
  private let content: Content

  init(_ message: Message) {
    byteCount = message.byteCount
    hasBulk = !message.bulk.isEmpty
    content = byteCount <= Self.boxThreshold ? .small(message) : .large(Box(message))
  }

  /// Takes the message out, and gives it the number of its call. May be called once; `nil` if a large message
  /// was taken before.
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
