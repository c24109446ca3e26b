import NIOCore
import Synchronization

/// The connections that have sent a request, so that all can be closed at once, also those whose client takes
/// no bytes.
final class OpenConnections: Sendable {
  private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    guard channels.withLock({ $0.updateValue(channel, forKey: id) }) == nil else { return }
    channel.closeFuture.whenComplete { _ in
      self.channels.withLock { _ = $0.removeValue(forKey: id) }
    }
  }

  func close() {
    for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
  }
}
