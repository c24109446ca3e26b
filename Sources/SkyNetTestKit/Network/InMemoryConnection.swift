import SkyNetCluster
import SkyNetCore

/// One end of a connection on an ``InMemoryNetwork``.
final class InMemoryConnection: Connection {
  let remoteAddress: String
  let fingerprint: String?
  private let inbound: InMemoryPipe
  private let outbound: InMemoryPipe

  init(
    remoteAddress: String, fingerprint: String?, inbound: InMemoryPipe, outbound: InMemoryPipe
  ) {
    self.remoteAddress = remoteAddress
    self.fingerprint = fingerprint
    self.inbound = inbound
    self.outbound = outbound
  }

  var signsOfLife: Int { inbound.bytesReceived }

  func send(_ message: Message, whenSent: (@Sendable () -> Void)?) {
    outbound.send(message)
    whenSent?()
  }

  func receive(_ handle: @escaping @Sendable (Message) -> Void) async throws {
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { inbound.receive((handle, $0)) }
      } onCancel: {
        close(saying: nil)
      }
    } catch {
      outbound.close()
      throw error
    }
    // The other end has closed, so this one closes too, as a socket would.
    outbound.close()
  }

  func close(saying last: Message?) {
    outbound.close(saying: last)
    inbound.abandon()
  }
}
