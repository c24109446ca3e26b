import CDNSSD
import SkyNetCluster

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Performs the actions of `DiscoveredInstances`, on the service thread.
final class BrowseSession: ServiceSession {
  private let loop: ServiceLoop
  let type: ServiceType
  private let events: AsyncStream<DiscoveryEvent>.Continuation
  private var instances = DiscoveredInstances()
  private var browser: ServiceReference?
  private var lookups: [String: LookupResources] = [:]
  private var resolvers: [String: ServiceReference] = [:]
  private var browserTimer: ServiceLoop.TimerID?
  private var pending: [DiscoveredInstances.Event] = []
  private var isHandling = false

  /// The resources of a lookup other than its resolver, until `endLookup`.
  private struct LookupResources {
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

  func lookAgain(for name: String) { handle(.peerUnreachable(name: name)) }

  private func handle(_ event: DiscoveredInstances.Event) {
    pending.append(event)
    // An action can cause the next event, which waits until all actions of this one are performed.
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    while !pending.isEmpty {
      for action in instances.handle(pending.removeFirst()) { perform(action) }
    }
  }

  private func perform(_ action: DiscoveredInstances.Action) {
    switch action {
    case .emit(let event): events.yield(event)
    case .browse(let wait):
      browserTimer = loop.schedule(after: wait) { [unowned self] in browse() }
    case .startGracePeriod(let wait):
      browserTimer = loop.schedule(after: wait) { [unowned self] in handle(.gracePeriodEnded) }
    case .startLookup(let name, let limit): schedule(limit, for: name, .lookupFailed(name: name))
    case .queryAddresses(let name, let host): queryAddresses(of: host, for: name)
    case .settleLookup(let name, let wait): schedule(wait, for: name, .lookupSettled(name: name))
    case .retryLookup(let name, let wait): schedule(wait, for: name, .retryDue(name: name))
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
        case .resolved, .record, .registered: break  // Not an answer to a browser.
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
  /// Delivers the event after the wait, unless the lookup has ended by then.
  private func schedule(_ wait: Duration, for name: String, _ event: DiscoveredInstances.Event) {
    let timer = loop.schedule(after: wait) { [unowned self] in handle(event) }
    lookups[name, default: LookupResources()].timers.append(timer)
  }

  private func queryAddresses(of host: String, for name: String) {
    for family in [kDNSServiceType_A, kDNSServiceType_AAAA] {
      do {
        let reference = try ServiceType.queryAddresses(of: host, type: family)
        lookups[name, default: LookupResources()].references.append(reference)
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
    case .resolved, .instance, .registered: break  // Not an answer to a query.
    }
  }

  private func endLookup(_ name: String) {
    guard let resources = lookups.removeValue(forKey: name) else { return }
    for reference in resources.references { reference.close() }
    for timer in resources.timers { loop.cancel(timer) }
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
        case .record, .instance, .registered: break  // Not an answer to a resolver.
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

extension DiscoveredInstances.Event {
  /// The name that is looked up, for an event of a lookup.
  fileprivate var lookedUpName: String? {
    switch self {
    case .addressAppeared(let name, _), .addressDisappeared(let name, _),
      .lookupSettled(let name), .lookupFailed(let name), .retryDue(let name):
      name
    case .browserStarted, .browserFailed, .instanceAdded, .instanceRemoved, .resolved,
      .resolverFailed, .peerUnreachable, .gracePeriodEnded:
      nil
    }
  }

  /// The name that is resolved, for an event of a resolver.
  fileprivate var resolvedName: String? {
    switch self {
    case .resolved(let name, _), .resolverFailed(let name): name
    default: nil
    }
  }
}
