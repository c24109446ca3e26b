import Logging
import Synchronization

/// Takes the log of a program that owns the screen, so that its messages are shown as notices.
final class WatchLog: Sendable {
  struct Message: Sendable {
    let text: String
    let isFault: Bool
  }

  /// The most messages that wait.
  private static let limit = 100

  private let waiting = Mutex<[Message]>([])

  /// The messages since the last call.
  func take() -> [Message] {
    waiting.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }

  fileprivate func add(_ message: Message) {
    waiting.withLock { if $0.count < Self.limit { $0.append(message) } }
  }

  struct Handler: LogHandler {
    let log: WatchLog
    var logLevel = Logger.Level.warning
    var metadata: Logger.Metadata = [:]

    init(_ log: WatchLog) { self.log = log }

    func log(event: LogEvent) {
      let line = LogLine(
        level: event.level, label: LogLine.ownLabel, message: "\(event.message)",
        metadata: metadata.merging(event.metadata ?? [:]) { $1 })
      log.add(Message(text: line.messageWithMetadata, isFault: event.level >= .warning))
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
  }
}
