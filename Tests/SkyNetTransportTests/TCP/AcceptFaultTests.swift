import NIOCore
import NIOEmbedded
import SkyNetCluster
import Testing

@testable import SkyNetTransport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("Connections that cannot be accepted")
struct AcceptFaultTests {
  /// Passes these errors to the handler. Returns what it reports, and what it last set auto-read to.
  private func report(_ errors: [any Error]) throws -> (messages: [String], reads: Bool?) {
    var messages: [String] = []
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(
      AcceptFaultHandler { messages.append($0.message) })
    for error in errors { channel.pipeline.syncOperations.fireErrorCaught(error) }
    #expect(throws: (any Error).self) { try channel.throwIfErrorCaught() }
    let reads = channel.options.last { $0.option is ChannelOptions.Types.AutoReadOption }?.value
    return (messages, reads as? Bool)
  }

  @Test("A shortage of descriptors is reported once, with the limit, and pauses the listener")
  func descriptors() throws {
    let full = IOError(errnoCode: EMFILE, reason: "accept")
    let (messages, reads) = try report([full, full])
    #expect(
      messages == [
        "no connection can be taken: too many open files (raise the limit that `ulimit -n` shows)"
      ])
    #expect(reads == false)
  }

  @Test("A shortage of memory is reported without a word of files")
  func memory() throws {
    let (messages, reads) = try report([IOError(errnoCode: ENOMEM, reason: "accept")])
    #expect(messages.count == 1 && messages.first?.contains("ulimit") == false)
    #expect(reads == false)
  }

  @Test("A peer that has left already is not reported, and does not pause the listener")
  func left() throws {
    let (messages, reads) = try report([IOError(errnoCode: ECONNABORTED, reason: "accept")])
    #expect(messages.isEmpty && reads != false)
  }
}
