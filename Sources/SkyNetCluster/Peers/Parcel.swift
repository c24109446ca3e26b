import SkyNetCore
import Synchronization

/// A message on its way to the connection: a caller that waits for its answer does not keep it in
/// memory, if it is large.
struct Parcel: Sendable {
  /// A copy for each that holds it, or the one for all, which is gone when it was taken.
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

  /// A message of more bytes is worth to be forgotten.
  private static let small = 4096

  let byteCount: Int
  let hasBulk: Bool
  private let content: Content

  init(_ message: Message) {
    byteCount = message.byteCount
    hasBulk = !message.bulk.isEmpty
    content = byteCount <= Self.small ? .small(message) : .large(Box(message))
  }

  /// The message, under the number of its call. To be asked once.
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
