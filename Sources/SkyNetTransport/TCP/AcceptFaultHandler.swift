import NIOCore
import SkyNetCluster

/// Handles a listener's failure to accept a connection for want of descriptors or memory: pauses the
/// listener for a moment, and reports the first failure of each series.
///
/// A connection that cannot be accepted stays in the socket's queue, so the socket is ready again at once:
/// without the pause the listener would try without end, and take a core. NIO's `AcceptBackoffHandler` does
/// not help, as it holds back the next read and leaves the socket registered with the selector.
final class AcceptFaultHandler: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let pause = TimeAmount.milliseconds(200)
  /// A failure begins a new series if there was none for this long. A shorter period would not do: a full
  /// descriptor table has room now and then, whenever a peer leaves.
  private static let quietPeriod = TimeAmount.minutes(1)

  private let report: (TransportError) -> Void
  private var lastFault: NIODeadline?

  init(report: @escaping (TransportError) -> Void) {
    self.report = report
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, IOReason.isShortage(error.errnoCode) {
      pauseReading(context.channel)
      let now = context.eventLoop.now
      if lastFault.map({ now - $0 >= Self.quietPeriod }) ?? true {
        report(
          TransportError(
            .cannotAccept, "no connection can be taken: \(IOReason.text(for: error))", cause: error)
        )
      }
      lastFault = now
    }
    context.fireErrorCaught(error)
  }

  private func pauseReading(_ channel: any Channel) {
    setReading(channel, false)
    channel.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
      self.setReading(channel, true)
    }
  }

  private func setReading(_ channel: any Channel, _ reads: Bool) {
    // This fails for a listener that has closed, which has nothing to read.
    try? channel.syncOptions?.setOption(.autoRead, value: reads)
  }
}
