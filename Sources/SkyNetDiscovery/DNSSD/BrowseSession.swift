import CDNSSD
import SkyNetCluster

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Does what `SightingTable` says, on the service thread.
final class BrowseSession: ServiceSession {
  private let loop: ServiceLoop
  private let type: ServiceType
  private let events: AsyncStream<DiscoveryEvent>.Continuation
  private var table = SightingTable()
  private var browser: ServiceReference?
  private var lookups: [String: Holdings] = [:]
  private var resolvers: [String: ServiceReference] = [:]
  private var browserTimer: ServiceLoop.TimerID?
  private var pending: [SightingTable.Event] = []
  private var isHandling = false

  /// What a lookup holds beside its resolver.
  private struct Holdings {
    var references: [ServiceReference] = []
    var timers: [ServiceLoop.TimerID] = []
  }

  init(
    _ type: ServiceType, on loop: ServiceLoop,
    _ events: AsyncStream<DiscoveryEvent>.Continuation
  ) {
    self.loop = loop
    self.type = type
    self.events = events
    browse()
  }

  func end() {
    endBrowsing()
    for name in Array(lookups.keys) { endLookup(name) }
    for name in Array(resolvers.keys) { endResolver(name) }
  }

  private func handle(_ event: SightingTable.Event) {
    pending.append(event)
    // Doing what one event leads to can bring the next: it waits until all is done.
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    while !pending.isEmpty {
      for action in table.handle(pending.removeFirst()) { perform(action) }
    }
  }

  private func perform(_ action: SightingTable.Action) {
    switch action {
    case .emit(let event): events.yield(event)
    case .browse(let wait):
      browserTimer = loop.schedule(after: wait) { [unowned self] in browse() }
    case .awaitAnswers(let wait):
      browserTimer = loop.schedule(after: wait) { [unowned self] in handle(.answersAwaited) }
    case .startLookup(let name, let limit): later(limit, for: name, .lookupFailed(name: name))
    case .queryAddresses(let name, let host): queryAddresses(of: host, for: name)
    case .settleLookup(let name, let wait): later(wait, for: name, .lookupSettled(name: name))
    case .retryLookup(let name, let wait): later(wait, for: name, .retryFellDue(name: name))
    case .endLookup(let name): endLookup(name)
    case .startResolver(let name): startResolver(name)
    case .endResolver(let name): endResolver(name)
    }
  }
}

// MARK: The browser

extension BrowseSession {
  private func browse() {
    do {
      let browser = try type.browse()
      self.browser = browser
      loop.watch(browser) { [unowned self] answer in
        switch answer {
        case .instance(let name, let interface, true):
          handle(.instanceAdded(name: name, interface: interface))
        case .instance(let name, let interface, false):
          handle(.instanceRemoved(name: name, interface: interface))
        case .failed(let error): browserFailed(error)
        case .resolved, .record, .registered: break  // Not what was asked for.
        }
      }
      handle(.browserStarted)
    } catch {
      browserFailed(error)
    }
  }

  private func browserFailed(_ error: ServiceError) {
    endBrowsing()
    handle(.browserFailed(reason: error.description))
  }

  private func endBrowsing() {
    if let browserTimer { loop.cancel(browserTimer) }
    browserTimer = nil
    browser?.close()
    browser = nil
  }
}

// MARK: Lookups and resolvers

extension BrowseSession {
  private func later(_ wait: Duration, for name: String, _ event: SightingTable.Event) {
    let timer = loop.schedule(after: wait) { [unowned self] in handle(event) }
    lookups[name, default: Holdings()].timers.append(timer)
  }

  private func queryAddresses(of host: String, for name: String) {
    for family in [kDNSServiceType_A, kDNSServiceType_AAAA] {
      do {
        let reference = try ServiceType.queryAddresses(of: host, type: family)
        lookups[name, default: Holdings()].references.append(reference)
        loop.watch(reference) { [unowned self] in addressAnswered($0, for: name) }
      } catch {
        handle(.lookupFailed(name: name))
      }
    }
  }

  private func addressAnswered(_ answer: ServiceReference.Answer, for name: String) {
    switch answer {
    case .record(_, let data, let interface, let isAdded):
      guard let address = PeerAddress(bytes: data, interfaceName: Self.name(of: interface))
      else { return }
      handle(
        isAdded
          ? .addressAppeared(name: name, address) : .addressDisappeared(name: name, address))
    case .failed: handle(.lookupFailed(name: name))
    case .resolved, .instance, .registered: break  // Not what was asked for.
    }
  }

  private func endLookup(_ name: String) {
    guard let holdings = lookups.removeValue(forKey: name) else { return }
    for reference in holdings.references { reference.close() }
    for timer in holdings.timers { loop.cancel(timer) }
    pending.removeAll { $0.lookedUpName == name }
  }

  private func startResolver(_ name: String) {
    do {
      let resolver = try type.resolve(name)
      resolvers[name] = resolver
      loop.watch(resolver) { [unowned self] answer in
        switch answer {
        case .resolved(let service): handle(.resolved(name: name, service))
        case .failed: handle(.resolverFailed(name: name))
        case .record, .instance, .registered: break  // Not what was asked for.
        }
      }
    } catch {
      handle(.resolverFailed(name: name))
    }
  }

  private func endResolver(_ name: String) {
    resolvers.removeValue(forKey: name)?.close()
    pending.removeAll { $0.resolvedName == name }
  }

  private static func name(of interface: UInt32) -> String? {
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(interface, &name) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension SightingTable.Event {
  /// The name whose lookup this is an event of.
  fileprivate var lookedUpName: String? {
    switch self {
    case .addressAppeared(let name, _), .addressDisappeared(let name, _),
      .lookupSettled(let name), .lookupFailed(let name), .retryFellDue(let name):
      name
    case .browserStarted, .browserFailed, .instanceAdded, .instanceRemoved, .resolved,
      .resolverFailed, .answersAwaited:
      nil
    }
  }

  /// The name whose resolver this is an event of.
  fileprivate var resolvedName: String? {
    switch self {
    case .resolved(let name, _), .resolverFailed(let name): name
    default: nil
    }
  }
}
