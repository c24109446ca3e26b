import NIOCore
import NIOPosix
import NIOSSL
import SkyNetCluster
package import SkyNetCore
package import SkyNetKeys

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The side that has an invitation's code, and gets the cluster's keys by it.
package enum Joining {
  /// Why the keys were not got, and what to do.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Gets the keys, keeps them by `store`, and tells the inviting side so.
  ///
  /// - Parameters:
  ///   - timeout: how long each of connecting, the handshake and the answer may take.
  ///   - store: keeps the keys. If it throws, the invitation is used all the same.
  /// - Returns: what `store` returns.
  /// - Throws: ``Failure``; the errors of `store`.
  package static func join<Result>(
    _ endpoint: Endpoint, code: InvitationCode, timeout: Duration = .seconds(10),
    store: (ClusterKeys) throws -> Result
  ) async throws -> Result {
    let (channel, text) = try await ask(endpoint, code, timeout)
    defer { channel.close(promise: nil) }
    let keys: ClusterKeys
    do {
      guard let read = try InvitationWire.keys(in: text) else { throw closed(endpoint) }
      keys = read
    } catch let error as KeyError {
      throw Failure(description: "what \(endpoint) sent is no cluster key: \(error)")
    } catch is InvitationWire.UnknownHeading {
      throw Failure(
        description: "\(endpoint) answers in a way that this version does not know: install the "
          + "same version on both machines")
    } catch is InvitationWire.TooLong {
      throw Failure(
        description:
          "\(endpoint) sent more than \(InvitationWire.maximumBytes) bytes, which are no "
          + "cluster keys: is it `\(ProgramName.text) invite` that listens there?")
    }
    let result = try store(keys)
    // Without it the inviting side only knows that it has sent the keys, and says so.
    try? await channel.writeAndFlush(ByteBuffer(string: InvitationWire.confirmation))
    return result
  }

  /// Connects, and waits for the text that the inviting side sends.
  private static func ask(
    _ endpoint: Endpoint, _ code: InvitationCode, _ timeout: Duration
  ) async throws -> (channel: any Channel, text: String) {
    let context = try InvitationWire.clientContext(code)
    do {
      return try await ConnectAttempt.connect(to: endpoint, timeout: timeout) { channel in
        let answer = channel.eventLoop.makePromise(of: String.self)
        let receiver = KeysReceiver(answer, timeout: TimeAmount(timeout))
        let handshake = HandshakeHandler(timeout: timeout) { result, context in
          switch result {
          case .success: receiver.begin(context.channel)
          case .failure(let error):
            answer.fail(error)
            context.close(promise: nil)
          }
        }
        try channel.pipeline.syncOperations.addHandlers([
          try NIOSSLClientHandler(context: context, serverHostname: nil), handshake, receiver,
        ])
        answer.futureResult.whenFailure { _ in channel.close(promise: nil) }
        return answer.futureResult.map { (channel, $0) }
      }
    } catch let error as Unreachable {
      throw unreachable(endpoint, error.cause)
    } catch {
      throw failure(of: endpoint, error)
    }
  }

  private static func unreachable(_ endpoint: Endpoint, _ error: any Error) -> Failure {
    if let error = error as? NIOConnectionError,
      error.connectionErrors.contains(where: {
        ($0.error as? IOError)?.errnoCode == ECONNREFUSED
      })
    {
      return Failure(
        description:
          "nothing listens on \(endpoint) any more: the invitation was used, has expired or was "
          + "closed, or the address is not that of the machine that invites. Ask for another one: "
          + "\(ProgramName.text) invite")
    }
    return Failure(
      description:
        "\(endpoint) cannot be reached: \(TCPTransport.reason(error, at: endpoint)). Is it the right "
        + "address, and does a firewall let this machine in? `\(ProgramName.text) invite --host` names another "
        + "address, and `--port` a port that is open")
  }

  private static func failure(of endpoint: Endpoint, _ error: any Error) -> Failure {
    guard let error = error as? TransportError else { return closed(endpoint) }
    if error.cause.map(TLSFault.isWrongSecret) == true {
      return Failure(
        description:
          "the code is wrong: copy the whole line that `\(ProgramName.text) invite` printed, or "
          + "it is of an earlier invitation. Three wrong codes close the invitation")
    }
    if error.code == .refused {
      return Failure(
        description: "no invitation listens on \(endpoint), but a node or another program does: "
          + "copy the whole line that `\(ProgramName.text) invite` printed")
    }
    // Its bytes did not come in time, or were changed on their way.
    return TLSFault.isCut(error)
      ? closed(endpoint) : Failure(description: "\(endpoint): \(error.message)")
  }

  private static func closed(_ endpoint: Endpoint) -> Failure {
    Failure(
      description: "\(endpoint) closed the connection: the invitation was used, has expired or was "
        + "closed. Ask for another one: \(ProgramName.text) invite")
  }
}

/// Collects the text that the inviting side sends after the handshake.
private final class KeysReceiver: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let answer: EventLoopPromise<String>
  private let timeout: TimeAmount
  private var text = ""
  private var timer: Scheduled<Void>?

  init(_ answer: EventLoopPromise<String>, timeout: TimeAmount) {
    self.answer = answer
    self.timeout = timeout
  }

  /// The handshake is complete: the text has this much time.
  func begin(_ channel: any Channel) {
    let (answer, timeout) = (answer, timeout)
    timer = channel.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
      answer.fail(
        TransportError(
          .connectionLost,
          "it did not send the keys within \(Duration(timeout).inTenths) s; where round trips take "
            + "that long, give a longer --timeout"))
      channel.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
    guard text.hasSuffix("\n\n") || text.utf8.count > InvitationWire.maximumBytes else { return }
    timer?.cancel()
    answer.succeed(text)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    // Has no effect if the text is complete.
    answer.fail(ChannelError.eof)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    answer.fail(error)
    context.close(promise: nil)
  }
}
