import NIOCore
import SkyNetCluster
import SkyNetCore

/// The end of a TCP connection's pipeline: bytes in, messages out to whoever receives, and the
/// other way round. Lives on the channel's event loop.
///
/// It cuts the bytes into frames itself: as a handler of its own that would box each of them.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Frames up to this many bytes share a buffer, and so a write.
  private static let gathered = 64 * 1024

  private let eventLoop: any EventLoop
  private let closingTimeout: Duration
  private let serves: Bool
  private let heldLimit: Int
  /// Called when the peer has read what it had let wait.
  private let onProgress: () -> Void
  /// `nil` before the connection and after it.
  private var context: ChannelHandlerContext?
  private let frames: NIOSingleStepByteToMessageProcessor<FrameDecoder>
  private var assembler: MessageAssembler
  private var queue = OutboundQueue()
  private var receipts: TCPConnection.Receipts = [:]
  private var handle: (@Sendable (Message) -> Void)?
  /// What came before anybody received. Reading begins with that, but when the peer closes, what is
  /// left in the socket is read in any case: its last words.
  private var early: [Message] = []
  private var ended: EventLoopPromise<Void>?
  private var error: (any Error)?
  private var isClosing = false
  /// The budget's account of what this connection's messages make the process hold, and how many bytes
  /// it was told of so far.
  private var memory: MemoryBudget.Account?
  private var toldHeld = 0
  /// How many bytes came.
  private var received = 0
  /// Looks whether the peer uses that it is favoured.
  private var stallWatch: Scheduled<Void>?
  /// Answers that the peer does not read, in bytes.
  private var unreadCount = 0
  /// What is to be sent last by a connection that is closing.
  private var lastMessages: [Message] = []

  init(
    eventLoop: any EventLoop, limits: WireLimits, closingTimeout: Duration, serves: Bool,
    onProgress: @escaping () -> Void
  ) {
    self.eventLoop = eventLoop
    frames = NIOSingleStepByteToMessageProcessor(FrameDecoder(limits: limits))
    assembler = MessageAssembler(limits: limits)
    heldLimit = limits.held
    self.closingTimeout = closingTimeout
    self.serves = serves
    self.onProgress = onProgress
  }

  // MARK: Called by the connection

  /// Begins to read, and completes when the connection has ended.
  func start(_ handle: @escaping @Sendable (Message) -> Void) -> EventLoopFuture<Void> {
    precondition(ended == nil, "a connection is received from once")
    let promise = eventLoop.makePromise(of: Void.self)
    ended = promise
    self.handle = handle
    for message in early { handle(message) }
    early = []
    guard let context else {
      // It ended before anybody listened to it.
      end()
      return promise.futureResult
    }
    readIfAllowed(context.channel)
    return promise.futureResult
  }

  /// Reads on, unless the peer has to read first, or others have to be served first.
  private func readIfAllowed(_ channel: any Channel) {
    let reads = (!serves || channel.isWritable) && memory?.turn != .waits
    channel.setOption(.autoRead, value: reads).whenFailure { _ in channel.close(promise: nil) }
  }

  /// - Parameter receipts: called when all of their calls was sent.
  func write(_ messages: [Message], receipts: TCPConnection.Receipts = [:]) {
    guard let context, !isClosing else { return }
    if !receipts.isEmpty { self.receipts.merge(receipts) { $1 } }
    // Who lets so much wait needs no pong too: the next byte that it reads tells as much.
    let isFull = !context.channel.isWritable
    for message in messages where !isFull || message.kind != .pong { queue.enqueue(message) }
    writeFrames(context, chunks: .whileWritable)
    if serves, !context.channel.isWritable, let excess = unread(context.channel) {
      errorCaught(context: context, error: excess)
    }
    tellHeld()
  }

  /// What the peer does not read, if that is too much. A peer whose calls are taken has few under
  /// way, but their answers can be large.
  private func unread(_ channel: any Channel) -> WireError? {
    let buffered = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let count = buffered + queue.byteCount
    unreadCount = count
    return count <= heldLimit
      ? nil : .tooMuch("bytes that it does not read", count, limit: heldLimit)
  }

  func close(after messages: [Message]) {
    guard let context, !isClosing else { return }
    isClosing = true
    // Nothing more is read, and to say the last may take a while.
    assembler.dropAll()
    tellHeld()
    lastMessages = messages
    // An accepted connection can be closed before it is quite there: then it says its last first.
    if context.channel.isActive { writeLastAndClose(context) }
  }

  private func writeLastAndClose(_ context: ChannelHandlerContext) {
    // What came before the last message goes before it, bulk bytes and all.
    writeFrames(context, chunks: .all)
    for message in lastMessages { queue.enqueue(message) }
    writeFrames(context, chunks: .all)
    let channel = context.channel
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    written.futureResult.whenComplete { _ in channel.close(promise: nil) }
    closeOnceStalled(channel, waiting: .max)
  }

  /// Closes if, from one look to the next, the peer has taken nothing of what waits for it.
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
    // An accepted connection can be written to before it is quite there.
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
    tellHeld()
  }

  private func receive(_ frame: Frame) throws {
    // What came with its last frame may have ended the connection.
    guard !isClosing, let message = try assembler.receive(frame) else { return }
    if let handle { handle(message) } else { early.append(message) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      unreadCount = 0
      onProgress()
    }
    if serves, ended != nil, !isClosing { readIfAllowed(context.channel) }
    if context.channel.isWritable, !queue.isEmpty {
      // In another turn of the event loop, so that a peer that reads as fast as this side writes
      // lets messages in between.
      context.eventLoop.assumeIsolated().execute { [weak self] in
        guard let self, let context = self.context else { return }
        self.writeFrames(context, chunks: .whileWritable)
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

  // MARK: What the process holds

  /// A peer that is favoured sends so many bytes within the budget's patience, or is turned out.
  private static let progress = 4 << 20

  /// Where to tell what is held; before anything is received.
  func account(by memory: MemoryBudget.Account) { self.memory = memory }

  /// Nothing is told of a connection that holds nothing, as most do between two messages.
  private func tellHeld() {
    let held = assembler.held + frames.unprocessedBytes + unreadCount
    guard held != toldHeld else { return }
    memory?.changeUnfinished(by: held - toldHeld)
    toldHeld = held
  }

  /// The budget has another turn for this connection.
  func turnChanged() {
    guard let context, !isClosing, let memory else { return }
    if ended != nil { readIfAllowed(context.channel) }
    // A peer that waited meanwhile could not send: its time begins anew.
    stallWatch?.cancel()
    stallWatch = nil
    if memory.turn == .isFavoured { turnOutOnceStalled(memory, after: received) }
  }

  private func turnOutOnceStalled(_ memory: MemoryBudget.Account, after before: Int) {
    let patience = TimeAmount(memory.patience)
    stallWatch = eventLoop.assumeIsolated().scheduleTask(in: patience) { [weak self] in
      guard let self, let context, !isClosing, memory.turn == .isFavoured else { return }
      if received - before < Self.progress, memory.holdsUpOthers {
        let fault = "bytes that it does not finish, while others wait for memory"
        errorCaught(
          context: context, error: WireError(.tooMuch, "too much under way: \(toldHeld) \(fault)"))
      } else {
        turnOutOnceStalled(memory, after: received)
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
      if buffer.readableBytes >= Self.gathered {
        unflushed += buffer.readableBytes
        context.write(wrapOutboundOut(buffer), promise: nil)
        buffer = context.channel.allocator.buffer(capacity: 512)
        // TLS keeps what is not flushed to itself, and the channel would seem to have room.
        if unflushed >= WireLimits.chunk {
          context.flush()
          unflushed = 0
        }
      }
    }
    if buffer.readableBytes > 0 { context.write(wrapOutboundOut(buffer), promise: nil) }
    context.flush()
    guard !receipts.isEmpty else { return }
    for call in queue.takeSentCalls() { receipts.removeValue(forKey: call)?() }
  }

  private func end() {
    memory?.close()
    memory = nil
    stallWatch?.cancel()
    stallWatch = nil
    receipts = [:]
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
