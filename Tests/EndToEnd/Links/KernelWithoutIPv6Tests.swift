import Foundation
import Testing

/// A node on a kernel without IPv6.
@Suite(
  "Kernels without IPv6", .timeLimit(.ample),
  .enabled(if: KernelWithoutIPv6.isPossible, KernelWithoutIPv6.impossible))
struct KernelWithoutIPv6Tests {
  private func node(_ options: String..., on stage: Stage) throws -> RunningProcess {
    try KernelWithoutIPv6.launch(
      [Paths.binary, "node", "--name", "a", "--no-discovery"] + options, on: stage)
  }

  @Test("A node listens on IPv4 alone")
  func aNodeListensOnIPv4() async throws {
    try await Stage.with { stage in
      let a = try await RunningNode(node(on: stage))
      let run = try stage.engage(
        peers: [a.port], "--no-local", "--total", "4", "--scan-seconds", "0", "--failing-every", "0"
      )
      try await run.outcome().expectEverySectorOnce(of: 4)
    }
  }

  @Test("An IPv6 address as --host is refused with a message")
  func anIPv6AddressIsRefused() async throws {
    try await Stage.with { stage in
      let story = try await node("--host", "::", on: stage).end()
      #expect(story.status == 2)
      #expect(
        story.errors == [
          "error: cannot listen on [::]:0: this machine has no IPv6; --port and --host choose where "
            + "a node listens"
        ])
    }
  }
}

/// Starts a program that sees a kernel without IPv6, as after `ipv6.disable=1`: a filter of system
/// calls denies it IPv6 sockets.
enum KernelWithoutIPv6 {
  static let impossible: Comment = "needs python3 and a processor of x86-64"

  static var isPossible: Bool {
    #if arch(x86_64) && os(Linux)
      FileManager.default.isExecutableFile(atPath: python)
    #else
      false
    #endif
  }

  static func launch(_ arguments: [String], on stage: Stage) throws -> RunningProcess {
    try stage.launch(python, ["-c", script] + arguments)
  }

  private static let python = "/usr/bin/python3"

  /// `socket` is system call 41, AF_INET6 is 10, and EAFNOSUPPORT is 97.
  private static let script = """
    import ctypes, os, struct, sys
    rules = [(0x20, 0, 0, 0), (0x15, 0, 3, 41), (0x20, 0, 0, 16), (0x15, 0, 1, 10),
             (0x06, 0, 0, 0x00050000 | 97), (0x06, 0, 0, 0x7fff0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
    class Filter(ctypes.Structure):
        _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_void_p)]
    libc = ctypes.CDLL(None)
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    filter = Filter(len(rules), ctypes.addressof(code))
    assert libc.prctl(22, 2, ctypes.byref(filter), 0, 0) == 0
    os.execv(sys.argv[1], sys.argv[1:])
    """
}
