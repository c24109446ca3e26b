import NIOCore
import SkyNetCluster
import SkyNetCore

/// The last handler of a TCP connection's pipeline: makes messages of the bytes that arrive, and bytes of the
/// messages to send. All of it runs on the channel's event loop.
///
/// It cuts the bytes into frames itself, as a separate handler would box each frame.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Frames share a buffer, and so a write, until it holds this many bytes.
  private static let writeSize = 64 * 1024

  private let eventLoop: any EventLoop
  private let closingTimeout: Duration
  /// Whether this side has called the peer, and so always reads; see `PeerTransport`.
  private var hasCalled = false
  private let heldLimit: Int
  /// Called when the peer has read bytes that had waited for it.
  private let onProgress: () -> Void
  /// `nil` before the handler is in the pipeline, and after.
  private var context: ChannelHandlerContext?
  private let frames: NIOSingleStepByteToMessageProcessor<FrameDecoder>
  private var assembler: MessageAssembler
  private var queue = OutboundQueue()
  private var sentCallbacks: TCPConnection.SentCallbacks = [:]
  private var handle: (@Sendable (Message) -> Void)?
  /// Messages that arrived before `start`. Reading begins there, but when the peer closes before, NIO reads
  /// what is left in the socket all the same: the peer's last messages.
  private var earlyMessages: [Message] = []
  private var ended: EventLoopPromise<Void>?
  private var error: (any Error)?
  private var isClosing = false
  /// This connection's account in the budget of what messages make the process hold.
  private var memory: MemoryBudget.Account?
  /// How many bytes were last reported to the account.
  private var reportedHeld = 0
  /// How many bytes have arrived.
  private var received = 0
  /// The next check that a favoured peer sends.
  private var stallCheck: Scheduled<Void>?
  /// How many bytes of answers wait for the peer to read them.
  private var unreadCount = 0
  /// Whether these are more than a peer may leave unread that is to get more answers.
  private var isBehind = false
  /// Is told when that changes.
  var whenBehind: @Sendable (_ isBehind: Bool) -> Void = { _ in }
  /// The messages that a closing connection sends last.
  private var lastMessages: [Message] = []

  init(
    eventLoop: any EventLoop, limits: WireLimits, closingTimeout: Duration,
    onProgress: @escaping () -> Void
  ) {
    self.eventLoop = eventLoop
    frames = NIOSingleStepByteToMessageProcessor(FrameDecoder(limits: limits))
    assembler = MessageAssembler(limits: limits)
    heldLimit = limits.held
    self.closingTimeout = closingTimeout
    self.onProgress = onProgress
  }

  // MARK: Called by the connection

  /// Begins to read, and calls `handle` with each message. The future completes when the connection has
  /// ended.
  func start(_ handle: @escaping @Sendable (Message) -> Void) -> EventLoopFuture<Void> {
    precondition(ended == nil, "a connection is received from once")
    let promise = eventLoop.makePromise(of: Void.self)
    ended = promise
    self.handle = handle
    for message in earlyMessages { handle(message) }
    earlyMessages = []
    guard let context else {
      // The connection ended before `start`.
      end()
      return promise.futureResult
    }
    readIfAllowed(context.channel)
    return promise.futureResult
  }

  /// Reads, unless the peer must first read its answers, or this connection waits for memory.
  private func readIfAllowed(_ channel: any Channel) {
    let reads = (hasCalled || channel.isWritable) && memory?.turn != .waits
    channel.setOption(.autoRead, value: reads).whenFailure { _ in channel.close(promise: nil) }
  }

  /// - Parameter sentCallbacks: each is called when all bytes of its call have been sent.
  func write(_ messages: [Message], sentCallbacks: TCPConnection.SentCallbacks = [:]) {
    guard let context, !isClosing else { return }
    if !sentCallbacks.isEmpty { self.sentCallbacks.merge(sentCallbacks) { $1 } }
    // A peer that leaves this much unread needs no pongs: any byte that it reads next shows it that this side
    // lives.
    let isFull = !context.channel.isWritable
    for message in messages where !isFull || message.kind != .pong {
      if !hasCalled, message.kind == .call {
        hasCalled = true
        if ended != nil { readIfAllowed(context.channel) }
      }
      queue.enqueue(message)
    }
    writeFrames(context, chunks: .whileWritable)
    countUnread(context)
    reportHeld()
  }

  /// Counts the bytes that the peer leaves unread, and ends the connection if they are too many. A peer has few calls
  /// under way, but their answers can be large.
  private func countUnread(_ context: ChannelHandlerContext) {
    let channel = context.channel
    // While the channel takes more, and nothing waits for it, the peer reads.
    guard !hasCalled, unreadCount > 0 || !channel.isWritable else { return }
    let buffered =
      channel.isWritable
      ? 0 : (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    unreadCount = buffered + queue.byteCount
    tellBehind()
    guard unreadCount > heldLimit else { return }
    errorCaught(
      context: context,
      error: WireError.tooMuch("bytes that it does not read", unreadCount, limit: heldLimit))
  }

  /// A peer gets no more answers while it leaves so many bytes of them unread, or while it has to wait for memory and
  /// leaves any unread.
  private func tellBehind() {
    let most = memory?.turn == .waits ? 0 : WireLimits.unread
    guard isBehind != (unreadCount > most) else { return }
    isBehind.toggle()
    whenBehind(isBehind)
  }

  func close(after messages: [Message]) {
    guard let context, !isClosing else { return }
    isClosing = true
    // From now on this side reads nothing. Sending the last messages may take a while, so parts of messages
    // are freed now.
    assembler.dropAll()
    reportHeld()
    lastMessages = messages
    // An accepted connection can be closed before its channel is active: then `channelActive` does this.
    if context.channel.isActive { writeLastAndClose(context) }
  }

  private func writeLastAndClose(_ context: ChannelHandlerContext) {
    // Messages that were queued before go first, bulk bytes included.
    writeFrames(context, chunks: .all)
    for message in lastMessages { queue.enqueue(message) }
    writeFrames(context, chunks: .all)
    let channel = context.channel
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    written.futureResult.whenComplete { _ in channel.close(promise: nil) }
    closeOnceStalled(channel, waiting: .max)
  }

  /// Closes the channel when all has been sent, or when the peer has read nothing within the closing timeout;
  /// else looks again.
  private func closeOnceStalled(_ channel: any Channel, waiting: Int) {
    eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(closingTimeout)) { [weak self] in
      guard channel.isActive else { return }
      let left = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
      guard let self, left > 0, left < waiting else { return channel.close(promise: nil) }
      self.closeOnceStalled(channel, waiting: left)
    }
  }

  // MARK: Called by the channel

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func channelActive(context: ChannelHandlerContext) {
    // An accepted connection can be written to before its channel is active.
    if isClosing {
      writeLastAndClose(context)
    } else {
      writeFrames(context, chunks: .whileWritable)
    }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    do {
      let bytes = unwrapInboundIn(data)
      received += bytes.readableBytes
      try frames.process(buffer: bytes, receive)
    } catch {
      errorCaught(context: context, error: error)
    }
    reportHeld()
  }

  private func receive(_ frame: Frame) throws {
    // An earlier frame in the same bytes may have ended the connection.
    guard !isClosing, let message = try assembler.receive(frame) else { return }
    if let handle { handle(message) } else { earlyMessages.append(message) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      onProgress()
      countUnread(context)
      reportHeld()
    }
    if !hasCalled, ended != nil, !isClosing { readIfAllowed(context.channel) }
    if context.channel.isWritable, !queue.isEmpty {
      // In another turn of the event loop, so that other messages get in between even if the peer reads as
      // fast as this side writes.
      context.eventLoop.assumeIsolated().execute { [weak self] in
        guard let self, let context = self.context else { return }
        self.writeFrames(context, chunks: .whileWritable)
        // The rest may have left at once, and no further event would tell.
        self.countUnread(context)
        self.reportHeld()
      }
    }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    do {
      if !isClosing { try frames.finishProcessing(seenEOF: true, receive) }
    } catch {
      errorCaught(context: context, error: error)
    }
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
    self.context = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if self.error == nil { self.error = error }
    if let wireError = error as? WireError {
      close(after: [Message(.goodbye, encoding: Goodbye(wireError))])
    } else {
      context.close(promise: nil)
    }
  }

  // MARK: The memory budget

  /// A favoured peer that sends fewer bytes than this within the budget's patience is disconnected.
  private static let progress = 4 << 20

  /// Sets the account to report held bytes to. To be called before anything is received.
  func account(by memory: MemoryBudget.Account) { self.memory = memory }

  /// Reports a change of the bytes that this connection holds. Most connections hold none between two
  /// messages, and have nothing to report.
  private func reportHeld() {
    let held = assembler.held + frames.unprocessedBytes + unreadCount
    guard held != reportedHeld else { return }
    memory?.changeUnfinished(by: held - reportedHeld)
    reportedHeld = held
  }

  /// The budget has changed this connection's turn: it waits, is favoured, or neither.
  func turnChanged() {
    guard let context, !isClosing, let memory else { return }
    if ended != nil { readIfAllowed(context.channel) }
    tellBehind()
    // A peer that had to wait could not send, so its time begins again.
    stallCheck?.cancel()
    stallCheck = nil
    if memory.turn == .isFavoured { disconnectOnceStalled(memory, after: received) }
  }

  /// Disconnects a favoured peer that sends too little while other connections wait for memory; else looks
  /// again.
  private func disconnectOnceStalled(_ memory: MemoryBudget.Account, after before: Int) {
    let patience = TimeAmount(memory.patience)
    stallCheck = eventLoop.assumeIsolated().scheduleTask(in: patience) { [weak self] in
      guard let self, let context, !isClosing, memory.turn == .isFavoured else { return }
      if received - before < Self.progress, memory.holdsUpOthers {
        let fault = "bytes that it does not finish, while others wait for memory"
        errorCaught(
          context: context,
          error: WireError(.tooMuch, "too much under way: \(reportedHeld) \(fault)"))
      } else {
        disconnectOnceStalled(memory, after: received)
      }
    }
  }

  // MARK: Inside

  private enum Chunks {
    case whileWritable, all
  }

  private func writeFrames(_ context: ChannelHandlerContext, chunks: Chunks) {
    guard !queue.isEmpty, context.channel.isActive else { return }
    var buffer = context.channel.allocator.buffer(capacity: 512)
    var unflushed = 0
    while let frame = queue.next(chunks: chunks == .all || context.channel.isWritable) {
      buffer.writeFrame(frame)
      if buffer.readableBytes >= Self.writeSize {
        unflushed += buffer.readableBytes
        context.write(wrapOutboundOut(buffer), promise: nil)
        buffer = context.channel.allocator.buffer(capacity: 512)
        // The TLS handler keeps bytes until they are flushed, and meanwhile the channel seems writable.
        if unflushed >= WireLimits.chunk {
          context.flush()
          unflushed = 0
        }
      }
    }
    if buffer.readableBytes > 0 { context.write(wrapOutboundOut(buffer), promise: nil) }
    context.flush()
    guard !sentCallbacks.isEmpty else { return }
    for call in queue.takeSentCalls() { sentCallbacks.removeValue(forKey: call)?() }
  }

  private func end() {
    memory?.close()
    memory = nil
    stallCheck?.cancel()
    stallCheck = nil
    sentCallbacks = [:]
    guard let ended else { return }
    self.ended = nil
    handle = nil
    switch error {
    case nil: ended.succeed()
    case let error as WireError: ended.fail(error)
    case let error as TransportError: ended.fail(error)
    case let error?:
      ended.fail(
        TransportError(
          .connectionLost, "the connection broke: \(IOReason.text(for: error))", cause: error))
    }
  }
}
