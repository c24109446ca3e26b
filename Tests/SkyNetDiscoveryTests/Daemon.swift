import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import TestSupport
import Testing

/// The Avahi daemon that the tests use, if there is one.
enum Daemon {
  static let missing: Comment = "there is no Avahi daemon"

  /// Whether a daemon answers.
  static func answers() async -> Bool {
    // A private one is preferred. It is asked for first, since this process keeps to the D-Bus that it uses first.
    _ = PrivateAvahi.isThere
    for await event in DNSSD(serviceType: "_skynet-there._tcp").events() {
      return event == .available
    }
    return false
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
