import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTestKit
import SkyNetTransport
import Testing

@Suite("Several keys", .timeLimit(.minutes(20)))
struct SeveralKeysTests {
  private let old = ClusterKey()
  private let new = ClusterKey()

  private func transport(_ keys: ClusterKey...) throws -> TCPTransport {
    let text = keys.map(\.text).joined(separator: " ")
    return TCPTransport(try TransportSecurity(keys: KeyRing(try ClusterKeys(text: text))))
  }

  @Test("During a change of the key, each pair that shares one connects by the newest of these")
  func pairs() async throws {
    let stages = [[old], [new, old], [new]]
    for (number, own) in stages.enumerated() {
      for (other, theirs) in stages.enumerated() where abs(number - other) < 2 {
        let client = try transport(keys: own)
        let listener = try await transport(keys: theirs).listen(on: .loopback)
        let shared = own.first { theirs.contains($0) }?.fingerprint
        // With an announcement, without one, and with one that is out of date.
        for announced in [theirs.map(\.fingerprint), [], [old.fingerprint]] {
          let near = try await client.connect(
            to: listener.endpoint, timeout: .ample, announced: announced)
          let far = try #require(await listener.nextConnection())
          #expect(near.fingerprint == far.fingerprint)
          if announced.count != 1 || theirs.count == 1 { #expect(near.fingerprint == shared) }
          for end in [near, far] { end.close(saying: nil) }
        }
        listener.close()
      }
    }
  }

  private func transport(keys: [ClusterKey]) throws -> TCPTransport {
    keys.count == 1 ? try transport(keys[0]) : try transport(keys[0], keys[1])
  }

  @Test("Peers that share no key refuse each other, each key having been tried")
  func strangers() async throws {
    let listener = try await transport(ClusterKey()).listen(on: .loopback)
    defer { listener.close() }
    let error = await #expect(throws: TransportError.self) {
      try await transport(new, old).connect(to: listener.endpoint, timeout: .ample)
    }
    #expect(error?.code == .refused && error?.message.contains("another cluster key") == true)
  }

  @Test("A change of the key file counts from the next handshake on, and is told, as are faults")
  func change() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("skynet-keys-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = KeyFile(path: folder + "/cluster.key")
    let keys = ClusterKeys(old)
    try file.replace(with: keys)
    let node = TCPTransport(try TransportSecurity(keys: KeyRing(keys, file: file)))
    let listener = try await node.listen(on: .loopback)
    defer { listener.close() }
    let clock = ManualClock()
    let news = Watched<[KeyNews]>([])
    try await withThrowingTaskGroup(of: Void.self, returning: Void.self) { group in
      group.addTask {
        await node.followKeys(clock: clock) { item in news.update { $0.append(item) } }
      }
      func look() async throws {
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(2))
        try await clock.sleepers(atLeast: 1)
      }
      try await look()
      #expect(news.value.isEmpty)
      try Data("hello".utf8).write(to: URL(fileURLWithPath: file.path))
      try await look()
      try await look()
      #expect(news.value.count == 1)
      #expect(news.value.first?.faultReason?.contains(file.path) == true)
      #expect(node.fingerprints == [old.fingerprint])

      let former = try await transport(old).connect(to: listener.endpoint, timeout: .ample)
      let accepted = try #require(await listener.nextConnection())
      try file.replace(with: ClusterKeys(new))
      try await look()
      #expect(news.value.count == 2 && node.fingerprints == [new.fingerprint])
      #expect(!node.holdsKey(of: accepted), "the former connection is open, and its owner ends it")
      await #expect(throws: TransportError.self) {
        try await transport(old).connect(to: listener.endpoint, timeout: .ample)
      }
      let later = try await transport(new).connect(to: listener.endpoint, timeout: .ample)
      for end in [former, accepted, later] { end.close(saying: nil) }
      // Ends the task that follows the keys.
      group.cancelAll()
    }
  }
}

extension KeyNews {
  fileprivate var faultReason: String? {
    if case .fault(let reason) = self { reason } else { nil }
  }
}
