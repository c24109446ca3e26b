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

@Suite("A connection that cannot be taken")
struct AcceptFaultTests {
  /// What is told of such errors, one after the other, and whether more is taken at once.
  private func told(_ errors: [any Error]) throws -> (messages: [String], reads: Bool?) {
    var messages: [String] = []
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(
      AcceptFaultHandler { messages.append($0.message) })
    for error in errors { channel.pipeline.syncOperations.fireErrorCaught(error) }
    #expect(throws: (any Error).self) { try channel.throwIfErrorCaught() }
    let reads = channel.options.last { $0.option is ChannelOptions.Types.AutoReadOption }?.value
    return (messages, reads as? Bool)
  }

  @Test("for want of descriptors is told of once, with the limit, and rests the listener")
  func descriptors() throws {
    let full = IOError(errnoCode: EMFILE, reason: "accept")
    let (messages, reads) = try told([full, full])
    #expect(
      messages == [
        "no connection can be taken: too many open files (raise the limit that `ulimit -n` shows)"
      ])
    #expect(reads == false)
  }

  @Test("for want of memory says nothing of files")
  func memory() throws {
    let (messages, reads) = try told([IOError(errnoCode: ENOMEM, reason: "accept")])
    #expect(messages.count == 1 && messages.first?.contains("ulimit") == false)
    #expect(reads == false)
  }

  @Test("because its peer has left already is no fault of the machine's")
  func left() throws {
    let (messages, reads) = try told([IOError(errnoCode: ECONNABORTED, reason: "accept")])
    #expect(messages.isEmpty && reads != false)
  }
}
