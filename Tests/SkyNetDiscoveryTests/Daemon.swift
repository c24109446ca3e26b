import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The Avahi daemon that the tests use, if there is one.
enum Daemon {
  static let missing: Comment = "there is no Avahi daemon: run deploy/with-avahi swift test"
  static let notOurs: Comment = "the daemon is not ours to end: run deploy/with-avahi swift test"

  /// Whether a daemon answers.
  static func answers() async -> Bool {
    for await event in DNSSD(serviceType: "_skynet-there._tcp").events() {
      return event == .available
    }
    return false
  }

  /// Whether the tests may call `restart`.
  static var isOurs: Bool { pidFile != nil }

  /// Ends the daemon, which `deploy/with-avahi` then starts again.
  static func restart() throws {
    let path = try #require(pidFile)
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 32)
    try #require(fgets(&text, Int32(text.count), file) != nil)
    let process = pid_t(atoi(text))
    try #require(process > 1)
    try #require(kill(process, SIGTERM) == 0)
  }

  private static var pidFile: String? {
    getenv("SKYNET_TEST_AVAHI_PID_FILE").map { String(cString: $0) }
  }
}

extension Advertisement {
  /// The advertisement of a new process.
  static func node(_ name: String, port: Int) -> Advertisement {
    Advertisement(
      name: name, port: port, slots: 3, incarnation: Incarnation(), protocolVersion: 1)
  }
}

/// Advertises a node until `withdraw`.
struct Advertised {
  private(set) var events: AsyncStream<AdvertisementEvent>.Iterator
  private let task: Task<Void, Never>

  init(_ advertisement: Advertisement, by advertiser: DNSSD) {
    let (copies, continuation) = AsyncStream<AdvertisementEvent>.makeStream()
    events = copies.makeAsyncIterator()
    task = Task {
      for await event in advertiser.advertise(advertisement) { continuation.yield(event) }
      continuation.finish()
    }
  }

  mutating func next() async -> AdvertisementEvent? { await events.next() }

  /// Returns when the advertisement is withdrawn.
  func withdraw() async {
    task.cancel()
    await task.value
  }
}
